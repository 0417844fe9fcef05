/// Where spans go.
public protocol TraceSink: Sendable {
  /// Runs `body` inside a span that ends with it, also when it throws.
  func withSpan<Result>(
    _ name: String, _ body: nonisolated(nonsending) (any SpanRecorder) async throws -> Result
  ) async throws -> Result
}

/// Takes what is to be known about the current span.
public protocol SpanRecorder: Sendable {
  /// Sets an attribute; names follow the OpenTelemetry GenAI conventions (`GenAI`).
  func setAttribute(_ name: String, _ value: String)
  /// Marks the span as failed.
  func recordError(_ error: any Error)
}

/// Keeps no spans.
public struct NoTraceSink: TraceSink {
  /// A sink that keeps no spans.
  public init() {}
  public func withSpan<Result>(
    _ name: String, _ body: nonisolated(nonsending) (any SpanRecorder) async throws -> Result
  ) async throws -> Result {
    try await body(NoSpanRecorder())
  }
}

/// Takes nothing.
public struct NoSpanRecorder: SpanRecorder {
  /// A recorder that takes nothing.
  public init() {}
  public func setAttribute(_ name: String, _ value: String) {}
  public func recordError(_ error: any Error) {}
}
