/// One tool call of a session, as a timeline shows it.
public struct ExecutionRecord: Sendable, Hashable, Identifiable {
  /// How far a call has come.
  public enum State: String, Sendable, Hashable {
    /// Asked for, not begun.
    case requested
    /// Under way.
    case running
    /// Over, with a result.
    case succeeded
    /// Over, with an error: also denied, unknown and never run.
    case failed
  }

  /// The call's id.
  public var id: String
  /// The tool.
  public var name: String
  /// The arguments: as they run, once it runs.
  public var arguments: ToolCall.Arguments
  /// When it began; nil before that, or when events came without times.
  public var startedAt: Timestamp?
  /// How long it ran, in milliseconds; nil before its end.
  public var durationMs: Double?
  /// The first 200 characters of the result; nil before its end.
  public var resultSummary: String?
  /// Why it failed, for programs.
  public var code: ToolResult.Code?
  /// How far it has come.
  public var state: State

  init(call: ToolCall) {
    id = call.id
    name = call.name
    arguments = call.arguments
    state = .requested
  }

  mutating func start(_ started: ToolStarted, at time: Timestamp?) {
    arguments = started.call.arguments
    startedAt = time
    state = .running
  }

  mutating func finish(_ finished: ToolFinished, at time: Timestamp?) {
    durationMs = finished.durationMs
    resultSummary = String(finished.toolResult.text.prefix(200))
    code = finished.result.code
    state = finished.result.isError ? .failed : .succeeded
    if startedAt == nil { startedAt = time }
  }
}
