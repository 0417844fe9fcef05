/// Where counts and durations go.
public protocol MetricSink: Sendable {
  /// Adds to a counter.
  func add(_ amount: Int, to counter: String, dimensions: [(String, String)])
  /// Records how long something took.
  func record(_ duration: Duration, for timer: String, dimensions: [(String, String)])
}

/// Counts nothing.
public struct NoMetricSink: MetricSink {
  /// A sink that counts nothing.
  public init() {}
  public func add(_ amount: Int, to counter: String, dimensions: [(String, String)]) {}
  public func record(_ duration: Duration, for timer: String, dimensions: [(String, String)]) {}
}
