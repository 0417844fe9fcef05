public import MartletJSON
public import MartletTesting

/// A request that a simulator got, and what it answered. No header and no key is kept.
public struct SimulatedExchange: Sendable, Hashable {
  /// How the exchange ended.
  public enum End: String, Sendable, Hashable {
    /// Still under way.
    case open
    /// Answered to the end: a reply, or an error that the script or the rules asked for.
    case complete
    /// The simulator broke the connection, as the script said.
    case cut
    /// The client left before the end.
    case abandoned
  }

  /// Method and path, such as `POST /v1/messages`.
  public var target: String
  /// The body; null for one that is no JSON.
  public var body: JSONValue
  /// The status of the answer.
  public var status: Int
  /// What was wrong with the request; empty for one that the service takes.
  public var violations: [RuleViolation]
  /// How it ended.
  public var end: End
}
