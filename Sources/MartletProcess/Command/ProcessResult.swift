/// What a finished run left.
public struct ProcessResult: Sendable, Hashable {
  /// Why it is over.
  public enum Ending: Sendable, Hashable {
    /// The child ended by itself.
    case ended
    /// `ProcessLimits.timeout` passed and the group was ended.
    case timedOut
    /// `ProcessLimits.maximumOutput` was passed and the group was ended.
    case tooMuchOutput
  }

  /// Whether it ended by itself.
  public let ending: Ending
  /// How the program ended.
  public let status: ExitStatus
  /// Standard output, and standard error too when merged.
  public let output: CapturedOutput
  /// Standard error; empty when merged or discarded.
  public let error: CapturedOutput
}
