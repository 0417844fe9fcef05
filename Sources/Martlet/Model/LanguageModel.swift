/// A model that answers requests: a provider's, or one on this device.
///
/// A model translates and streams, nothing else: the loop, tools, retries and history live once, above it.
public protocol LanguageModel: Sendable {
  /// What the model is and can take.
  var info: ModelInfo { get }

  /// Starts one reply. Nothing happens before the stream is read; dropping or cancelling the reader ends the work.
  ///
  /// The stream throws `ModelError`, or `CancellationError` when its reader is cancelled. A stream that ends without
  /// `.finished` counts as cut off.
  func stream(_ request: ModelRequest) -> ModelStream

  /// How many tokens a request has, counted exactly, by the service or by the model's own tokenizer; nil where that cannot
  /// be told. Default: nil.
  /// - Throws: `ModelError`, `CancellationError`.
  func tokenCount(of request: ModelRequest) async throws -> Int?
}

extension LanguageModel {
  public func tokenCount(of request: ModelRequest) async throws -> Int? { nil }
}
