/// What is wrong with a script.
public struct SimulatorScriptError: Error, Sendable, CustomStringConvertible {
  /// Where, as `script.replies[0].calls[1]`.
  public let place: String
  /// What, and what is expected.
  public let message: String

  /// Place and message.
  public var description: String { "\(place): \(message)" }
}
