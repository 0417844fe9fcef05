import MartletJSON

/// What is known of the open run.
struct RunState: Sendable, Hashable {
  var budget: Budget
  /// The pass of the loop under way; 0 before the first.
  var iteration = 0
  /// Whether the current pass still needs its reply.
  var needsReply = false
  /// Whether the last reply was paused by its provider, and goes back as it is to be continued.
  var continuesReply = false
  /// Tries made in the current pass.
  var attempt = 0
  var retryDelayMs = 0
  /// The model call under way.
  var modelCall: ModelCallStarted?
  /// Whether the process that made `modelCall` is gone.
  var modelCallIsLost = false
  /// The record of its first prompt; nil before it, and where an earlier one is tried again.
  var promptSeq: Int?
  /// Messages of the view before the first prompt; nil before it.
  var messagesBefore: Int?
  /// How often the view was compacted since the last reply.
  var compactions = 0
  /// Why the last request was too long, while a shorter one may still be made.
  var overflow: CallFailure?
  /// The failure that ends the run.
  var failure: CallFailure?
  /// How the run ends once the open turn is settled.
  var outcome: FinishReason?
  /// The typed answer, where one was asked for and given.
  var output: JSONValue?
  /// What the model has to be told about its answer, which does not fit the schema.
  var correction: String?
  /// How often the model was told so since something else was said.
  var corrections = 0
  /// Whether the open turn's calls must not run, because the reply that asks for them was cut off.
  var callsAreCut = false
  /// The calls of the open turn, in call order.
  var calls: [CallProgress] = []
  /// What calls of the open turn asked for and were given, by call.
  var inputs: [String: [ToolInput]] = [:]
  /// Calls that were running when a process ended, that must not be repeated, and that somebody is asked about.
  var lostCalls: Set<String> = []
  var detector = LoopDetector()
  var warnings: [Warning] = []
  var cancel: CancelRequested?
  var usage = Usage()
  var cost: Double?
  var startedAt: Timestamp?
  /// Since when somebody's answer is outstanding.
  var parkedSince: Timestamp?
  var parked: Duration = .zero

  init(budget: Budget) { self.budget = budget }

  /// Time used until `now`, not counting time parked for a person.
  func elapsed(at now: Timestamp) -> Duration {
    guard let startedAt else { return .zero }
    let waiting = parkedSince.map { now.since($0) } ?? .zero
    return now.since(startedAt) - parked - waiting
  }

  /// Marks the model call and the tools that were running as lost: the process that ran them is gone.
  mutating func loseWhatWasUnderWay() {
    modelCallIsLost = modelCall != nil
    for index in calls.indices {
      if case .started(let call, let effect, _) = calls[index].stage {
        calls[index].stage = .started(call, effect: effect, isLost: true)
      }
    }
  }

  func index(of callId: String) -> Int? { calls.firstIndex { $0.call.id == callId } }

  var openApprovals: [ApprovalRequested] {
    calls.compactMap { if case .awaitingApproval(let request) = $0.stage { request } else { nil } }
  }
}
