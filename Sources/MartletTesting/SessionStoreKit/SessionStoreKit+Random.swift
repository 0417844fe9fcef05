import Martlet
import MartletJSON

extension SessionStoreKit {
  /// A conversation with turns of tools, an interruption and a rewind in it.
  private static func conversation(_ session: String) -> [EventRecord] {
    var events: [AgentEvent] = [
      .sessionCreated(SessionCreated(owner: owner)),
      .context(PromptContext(instructions: [.text("Be brief.")], tools: [], model: "test/model", epoch: 1)),
    ]
    for turn in 0..<3 {
      let calls = (0..<2).map {
        ToolCall(id: "call_\(turn)\($0)", name: "look", arguments: ["turn": .number(JSONNumber(turn))])
      }
      events += [
        .runStarted(RunStarted(budget: Budget())),
        .prompt(Prompt(messageId: "p\(turn)", message: .user("Question \(turn)"))),
        .iterationStarted(1), .modelCall(ModelCallStarted(model: "test/model", messageId: "m\(turn)")),
        .modelCallEnded(ModelCallEnded(usage: Usage(input: 20, output: 5))),
        .assistantMessage(
          AssistantMessage(
            messageId: "m\(turn)", message: .assistant(text: "Let me see.", toolCalls: calls), stopReason: .toolUse)),
      ]
      for call in calls {
        events.append(.toolStarted(ToolStarted(call: call, effect: .readOnly)))
        events.append(
          .toolFinished(
            ToolFinished(ToolResult(callId: call.id, name: call.name, content: [.text("seen")]), durationMs: 2)))
      }
      events += [
        .iterationStarted(2), .modelCall(ModelCallStarted(model: "test/model", messageId: "a\(turn)")),
        .modelCallEnded(ModelCallEnded(usage: Usage(input: 30, output: 6))),
        .assistantMessage(
          AssistantMessage(messageId: "a\(turn)", message: .assistant(text: "Answer \(turn)"), stopReason: .endTurn)),
        .finished(Finished(iterations: 2, reason: .answered)),
      ]
      if turn == 1 { events.append(.rewound(Rewound(toSeq: 2))) }
    }
    return events.enumerated().map { record($0.offset + 1, session, $0.element) }
  }

  static let forkedLogs: [SessionStoreCheck] = [
    SessionStoreCheck("the fold of a fork is the fold of the records it shares, also when their session is gone") {
      subject in
      let store = subject.store
      let records = conversation("a")
      let lease = try await store.acquire(session: "a", owner: owner, holder: "kit")
      try await store.append(records, lease: lease)
      await store.release(lease)
      for count in 1...records.count { try await fork(store, "f\(count)", of: "a", at: count) }
      func check(_ when: String) async throws {
        for count in 1...records.count {
          var wanted = AgentLoop(folding: records.prefix(count))
          let forked = try await all(store, "f\(count)")
          try expect(forked.last?.seq == count + 1, "\(when) the fork at \(count) has \(forked.count) records")
          let loop = AgentLoop(folding: forked)
          if let last = forked.last { wanted.apply(last) }
          try expect(loop == wanted, "\(when) the fork at \(count) folds to something else")
        }
      }
      try await check("at first")
      try await store.delete(session: "a", owner: owner)
      try await check("after the deletion")
    },
    SessionStoreCheck("of any tree of forks that grow and are deleted, those that are left have all their records") {
      subject in
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let store = subject.store
      var logs: [String: [EventRecord]] = [:]
      for step in 0..<120 {
        let id = "s\(step)"
        let known = logs.keys.sorted()
        switch known.isEmpty ? 0 : Int.random(in: 0..<10, using: &random) {
        case 0:
          try await fill(store, id, ["begins \(id)"])
          logs[id] = [created(id), prompt(2, id, "begins \(id)")]
        case 1...3:
          let parent = random.pick(known)
          let count = Int.random(in: 1...(logs[parent]?.count ?? 1), using: &random)
          try await fork(store, id, of: parent, at: count)
          logs[id] =
            Array((logs[parent] ?? []).prefix(count)) + [
              created(id, at: count + 1, origin: SessionOrigin(session: parent, seq: count))
            ]
        case 4...7:
          let id = random.pick(known)
          let next = (logs[id]?.count ?? 0) + 1
          try await extend(store, id, "step \(step)")
          logs[id]?.append(prompt(next, id, "step \(step)"))
        default:
          let id = random.pick(known)
          try await store.delete(session: id, owner: owner)
          logs[id] = nil
        }
        let list = try await store.sessions(owner: owner)
        try expect(
          Set(list.map(\.id)) == Set(logs.keys), "seed \(seed), step \(step): the list has \(list.map(\.id).sorted())")
        for summary in list {
          let log = logs[summary.id] ?? []
          let origin = log.last { $0.session == summary.id && $0.event.type == "session_created" }
          guard case .sessionCreated(let begun)? = origin?.event else { continue }
          try expect(
            summary.forkedFrom == begun.forkedFrom, "seed \(seed), step \(step): \(summary.id) comes from elsewhere")
        }
        if step % 10 == 9 {
          for (id, log) in logs {
            try expect(try await all(store, id) == log, "seed \(seed), step \(step): \(id) has other records")
          }
        }
      }
      for id in logs.keys { try await store.delete(session: id, owner: owner) }
      for word in ["begins", "step"] {
        try expect(
          try await store.search(word, owner: owner, limit: 9).isEmpty,
          "seed \(seed): \(word) is found when all is gone")
      }
    },
    SessionStoreCheck("the list says where forks and subagents come from") { subject in
      let store = subject.store
      try await fill(store, "a", ["one"])
      try await fork(store, "b", of: "a", at: 2)
      let parent = SessionParent(session: "a", run: "r", callId: "call_1")
      let lease = try await store.acquire(session: "c", owner: owner, holder: "kit")
      try await store.append(
        [record(1, "c", .sessionCreated(SessionCreated(owner: owner, parent: parent, meta: ["parent": ["x": 1]])))],
        lease: lease)
      await store.release(lease)
      let list = Dictionary(uniqueKeysWithValues: try await store.sessions(owner: owner).map { ($0.id, $0) })
      try expect(list["a"]?.forkedFrom == nil && list["a"]?.parent == nil, "a root comes from somewhere")
      try expect(list["b"]?.forkedFrom == SessionOrigin(session: "a", seq: 2), "the fork's origin is not told")
      try expect(list["c"]?.parent == parent, "the subagent's parent is not told")
    },
  ]
}
