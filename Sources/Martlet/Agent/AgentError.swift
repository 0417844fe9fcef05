/// Why a run gave no answer. Its text is safe to show; what the model had said so far is in `partial`.
public struct AgentError: Error, Sendable, CustomStringConvertible {
  /// What kind of end it was.
  public let code: Code
  /// One sentence with the reason, and what to do where that is known.
  public let message: String
  /// The text of the reply so far, empty if there was none. May hold what the user's data holds: not for logs.
  public let partial: String
  /// What lies beneath.
  public let underlying: (any Error)?

  /// An end without an answer.
  public init(code: Code, message: String, partial: String = "", underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.partial = partial
    self.underlying = underlying
  }

  public var description: String { "\(code.rawValue): \(message)" }

  /// Kinds of end. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A run is under way already.
    public static let busy = Self(rawValue: "busy")
    /// A budget is used up.
    public static let budget = Self(rawValue: "budget")
    /// The run was cancelled by somebody other than its caller's task.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The model refused.
    public static let refused = Self(rawValue: "refused")
    /// The output limit cut the answer off.
    public static let truncated = Self(rawValue: "truncated")
    /// The run is parked until somebody answers an approval or an input.
    public static let waiting = Self(rawValue: "waiting")
    /// The model failed; `underlying` has the reason.
    public static let model = Self(rawValue: "model")
    /// The session could not be read or written; `underlying` has the reason.
    public static let storage = Self(rawValue: "storage")
    /// The agent is set up in a way that cannot work.
    public static let configuration = Self(rawValue: "configuration")
    /// There is nothing to resume, or no such approval.
    public static let notFound = Self(rawValue: "not_found")
    /// The approval or input was answered before; this answer changed nothing.
    public static let alreadyAnswered = Self(rawValue: "already_answered")
    /// The edited arguments do not fit the tool; nothing was decided.
    public static let invalidArguments = Self(rawValue: "invalid_arguments")
    /// The agent was closed.
    public static let closed = Self(rawValue: "closed")
  }
}
