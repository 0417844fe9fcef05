/// How far a call of the open turn has come.
struct CallProgress: Sendable, Hashable {
  /// The call as the model asked for it.
  var call: ToolCall
  var stage: Stage

  enum Stage: Sendable, Hashable {
    /// Nothing was done for it yet.
    case asked
    /// Somebody has to agree; the call there has the arguments as they would run.
    case awaitingApproval(ApprovalRequested)
    /// Somebody agreed to exactly this.
    case approved(ToolCall)
    /// Somebody said no.
    case denied(reason: String?)
    /// It runs; `isLost` when the process that ran it is gone.
    case started(ToolCall, effect: ToolEffect, isLost: Bool)
    /// It asked for something from outside, and runs again when that has come.
    case awaitingInput(ToolCall)
    /// It has its result.
    case finished(ToolResult)
  }

  var isFinished: Bool { if case .finished = stage { true } else { false } }

  var result: ToolResult? { if case .finished(let result) = stage { result } else { nil } }
}
