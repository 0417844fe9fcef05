/// What to do so that a conversation fits: a value, found by the loop from its state. The agent carries it out and appends
/// what came of it as a `compacted` event.
public struct ContextPlan: Sendable, Hashable {
  /// Why something is done.
  public enum Reason: String, Sendable, Hashable {
    /// The next request and its reply would not fit the window.
    case full
    /// The provider said that a request was too long.
    case overflow
    /// There are more messages than the policy allows.
    case messages
    /// Somebody asked for it.
    case requested
  }

  /// The name of the policy.
  public var policy: String
  /// The first record whose message is replaced.
  public var fromSeq: Int
  /// The last; before `fromSeq` where none is.
  public var toSeq: Int
  /// Records in between whose messages stay.
  public var keep: [Int]
  /// Calls whose results go.
  public var cleared: [String]
  /// Results of which only a part stays.
  public var offloaded: [OffloadedResult]
  /// How a model is asked for a summary of what is replaced; nil where a digest is made of it instead.
  public var style: SummaryStyle?
  /// The most UTF-8 bytes of a digest; 0 for none.
  public var digestLimit: Int
  /// The most UTF-8 bytes of what is told again after the summary: changed rules, skills that were loaded.
  public var noteLimit: Int
  /// Tokens of the next request as it is, estimated.
  public var tokensBefore: Int
  /// Why.
  public var reason: Reason
  /// How hard it tries: 0 is what the policy says, more leaves less.
  public var level: Int

  /// Whether messages are replaced, and not only results shortened.
  public var replacesMessages: Bool { toSeq >= fromSeq }
}
