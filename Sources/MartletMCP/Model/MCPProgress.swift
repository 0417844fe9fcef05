/// How far a request has come.
public struct MCPProgress: Sendable, Hashable {
  /// Done so far, in the peer's own unit. It only rises.
  public var progress: Double
  /// All there is to do, where that is known.
  public var total: Double?
  /// What is being done.
  public var message: String?

  /// A step.
  public init(_ progress: Double, total: Double? = nil, message: String? = nil) {
    self.progress = progress
    self.total = total
    self.message = message
  }
}
