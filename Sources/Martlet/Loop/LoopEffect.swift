/// Something that should be going on now, given what the log says. Performing it leads to more events.
///
/// Effects are a statement of what is pending, not a queue: an agent starts the ones that are not under way, and stops what
/// is under way but no longer pending.
public enum LoopEffect: Sendable, Hashable {
  /// These facts follow from the log alone: append them, in order.
  case record([AgentEvent])
  /// Say a queued message: append it as a `prompt`.
  case deliver(Queued)
  /// Tell the model that its answer does not fit the schema: append the message as a `prompt`.
  case correct(Message)
  /// Make the conversation shorter, so that the next request fits: append what came of it as `compacted`.
  case compact(ContextPlan)
  /// Ask the model for the next turn.
  case callModel(PendingModelCall)
  /// End the model call that is under way and settle it.
  case stopModelCall(messageId: String)
  /// Check the call's arguments and permission and run it. `approved` says that a person has agreed to exactly this call.
  case runTool(ToolCall, approved: Bool)
  /// End the tool call that is under way and settle it.
  case stopTool(callId: String)
  /// A person has to answer; ask, if there is somebody to ask.
  case awaitApproval(ApprovalRequested)
  /// Input from outside has to come.
  case awaitInput(InputRequested)
  /// Nothing can go on until one of these is answered: where nobody can be asked, append `waiting`.
  case park(approvals: [String], inputs: [String])
}

/// A model call to make.
public struct PendingModelCall: Sendable, Hashable {
  /// The pass of the loop it belongs to, from 1.
  public var iteration: Int
  /// Which try it is, from 1.
  public var attempt: Int
  /// Milliseconds to wait first, after a failed try.
  public var delayMs: Int
  /// The most tokens the reply may have.
  public var maxOutputTokens: Int
  /// The tokens it may use at most.
  public var reservedTokens: Int
}
