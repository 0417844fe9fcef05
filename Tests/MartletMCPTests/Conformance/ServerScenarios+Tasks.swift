import MartletJSON

@testable import MartletMCP

/// The extension for calls that go on after their answer.
extension ServerScenarios {
  static let tasks: [String: Scenario] = [
    "tasks-lifecycle": withTasks(lifecycleOfTasks), "tasks-wire-fields": withTasks(wireFields),
    "tasks-dispatch-and-envelope": withTasks(dispatch), "tasks-mrtr-input": withTasks(input),
    "tasks-request-headers": withTasks(headers),
    "tasks-capability-negotiation": { peer, verdicts in
      let discovered = try await peer.ask("server/discover").result?["capabilities"]
      verdicts.check(
        "tasks-extension-advertised",
        discovered?["extensions"]?[MCPExtension.tasks]?.objectValue != nil && discovered?["tasks"] == nil,
        discovered?.text() ?? "")
      let plain = peer.declaring([:])
      for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let reply = try await plain.ask(method, ["taskId": "any", "inputResponses": [:]])
        verdicts.check("sep-2663-tasks-methods-non-declaring", reply.errorCode == -32021, reply.summary)
      }
      let direct = try await plain.call("slow_compute", ["seconds": 0, "label": "x"])
      verdicts.check(
        "sep-2663-server-rejects-undeclared-client", isComplete(direct) && direct.result?["taskId"] == nil,
        direct.summary)
      let refused = try await plain.call("failing_job")
      verdicts.check("sep-2663-server-rejects-undeclared-client", refused.errorCode == -32021, refused.summary)
      let optedIn = try await begin(peer.declaring(taking), "slow_compute", ["seconds": 60, "label": "x"])
      verdicts.check("tasks-per-request-meta-opt-in", isTask(optedIn), optedIn.summary)
    },
    "tasks-request-state-removal": withTasks { peer, verdicts in
      let created = try await begin(peer, "slow_compute", ["seconds": 60])
      let shown = try await get(peer, created)
      verdicts.check(
        "tasks-request-state-removal-setup",
        isTask(created) && created.result?["requestState"] == nil && shown.result?["requestState"] == nil,
        shown.summary)
    },
    "tasks-status-notifications": { _, verdicts in
      verdicts.skip("tasks-status-notifications", "the suite has a placeholder here, which it always skips")
    },
    "tasks-required-task-error": { peer, verdicts in
      let reply = try await peer.declaring([:]).call("failing_job")
      verdicts.check(
        "sep-2663-server-returns-missing-capability-when-required",
        reply.errorCode == -32021 && reply.status == 400
          && reply.errorData?["requiredCapabilities"]?["extensions"]?[MCPExtension.tasks] != nil, reply.summary)
    },
    "tasks-mrtr-composition": withTasks { peer, verdicts in
      let first = try await peer.call("test_tool_with_task")
      let created = try await peer.call("test_tool_with_task", more: again(first))
      let end = try await wait(peer, created)
      verdicts.check(
        "sep-2663-mrtr-synchronous-before-task-creation",
        asks(first) && isTask(created)
          && end.result?["result"]?["content"]?[0]?["text"]?.stringValue?
            .contains("Alice") == true,
        end.summary)
    },
  ]

  private static let taking: JSONObject = [
    "elicitation": [:], "sampling": [:], "extensions": .object([MCPExtension.tasks: [:]]),
  ]

  private static func withTasks(_ scenario: @escaping Scenario) -> Scenario {
    { peer, verdicts in try await scenario(peer.declaring(taking), verdicts) }
  }

  // MARK: Steps

  private static func begin(
    _ peer: RawPeer, _ tool: String, _ arguments: JSONObject = [:], more: JSONObject = [:]
  ) async throws -> RawPeer.Reply { try await peer.call(tool, arguments, more: more) }

  private static func isTask(_ reply: RawPeer.Reply) -> Bool {
    reply.result?["resultType"] == "task" && reply.result?["taskId"]?.stringValue?.isEmpty == false
  }

  private static func id(_ created: RawPeer.Reply) -> JSONValue { created.result?["taskId"] ?? .null }

  private static func get(_ peer: RawPeer, _ created: RawPeer.Reply) async throws -> RawPeer.Reply {
    try await peer.ask("tasks/get", ["taskId": id(created)])
  }

  /// Asks until a task has come so far.
  private static func wait(
    _ peer: RawPeer, _ created: RawPeer.Reply, until statuses: Set<String> = ["completed", "failed", "cancelled"]
  ) async throws -> RawPeer.Reply {
    while true {
      let reply = try await get(peer, created)
      guard let status = status(reply), !statuses.contains(status) else { return reply }
    }
  }

  private static func status(_ reply: RawPeer.Reply) -> String? { reply.result?["status"]?.stringValue }

  /// Whether an acknowledgement says nothing of the task.
  private static func isEmpty(_ reply: RawPeer.Reply) -> Bool {
    isComplete(reply)
      && ["taskId", "status", "result", "error", "inputRequests"].allSatisfy { reply.result?[$0] == nil }
  }

  // MARK: Scenarios

  private static let lifecycleOfTasks: Scenario = { peer, verdicts in
    let direct = try await begin(peer, "greet", ["name": "World"])
    verdicts.check(
      "tasks-sync-tool-call", isComplete(direct) && direct.text == "Hello, World!" && direct.result?["taskId"] == nil,
      direct.summary)
    let slow = try await begin(peer, "slow_compute", ["seconds": 60, "label": "slow"])
    let fields = slow.result ?? [:]
    verdicts.check(
      "sep-2663-result-type-task-on-create",
      isTask(slow) && fields["status"] == "working" && fields["createdAt"]?.stringValue?.contains("T") == true
        && fields["lastUpdatedAt"]?.stringValue?.contains("T") == true && fields["ttlMs"] != nil
        && ["task", "result", "error", "inputRequests"].allSatisfy { fields[$0] == nil }, slow.summary)
    let working = try await get(peer, slow)
    verdicts.check(
      "sep-2663-tasks-get-status-working",
      status(working) == "working" && working.result?["result"] == nil && working.result?["error"] == nil,
      working.summary)
    let quick = try await wait(peer, try await begin(peer, "slow_compute", ["seconds": 0, "label": "quick"]))
    verdicts.check(
      "sep-2663-tasks-get-status-completed",
      status(quick) == "completed" && quick.result?["result"]?["content"]?[0]?["text"] == "Computed quick.",
      quick.summary)
    let failing = try await wait(peer, try await begin(peer, "failing_job"))
    verdicts.check(
      "sep-2663-tool-error-uses-completed-status",
      status(failing) == "completed" && failing.result?["result"]?["isError"] == true, failing.summary)
    let broken = try await wait(peer, try await begin(peer, "protocol_error_job"))
    verdicts.check(
      "sep-2663-tasks-get-status-failed",
      status(broken) == "failed" && broken.result?["error"]?["code"]?.intValue != nil
        && broken.result?["error"]?["message"]?.stringValue != nil && broken.result?["result"] == nil, broken.summary)
    let acknowledged = try await peer.ask("tasks/cancel", ["taskId": id(slow)])
    let cancelled = try await wait(peer, slow)
    verdicts.check(
      "sep-2663-cancel-ack-empty-result", isEmpty(acknowledged) && status(cancelled) == "cancelled",
      acknowledged.summary + cancelled.summary)
    let again = try await peer.ask("tasks/cancel", ["taskId": id(slow)])
    verdicts.check("tasks-cancel-terminal-idempotent-ack", isEmpty(again), again.summary)
  }

  private static let wireFields: Scenario = { peer, verdicts in
    let created = try await begin(peer, "slow_compute", ["seconds": 0, "label": "x"])
    let end = try await wait(peer, created)
    for reply in [created, end] {
      let fields = reply.result ?? [:]
      let life = fields["ttlMs"]
      verdicts.check(
        "tasks-wire-field-renames",
        (life == .null || life?.intValue != nil) && fields["pollIntervalMs"]?.intValue != nil
          && ["ttl", "pollInterval", "ttlSeconds"].allSatisfy { fields[$0] == nil }, reply.summary)
    }
    let later = try await get(peer, created)
    verdicts.check(
      "tasks-no-early-ttl-expiry",
      status(later) == "completed" && (created.result?["ttlMs"]?.intValue ?? .max) > 0, later.summary)
    verdicts.check(
      "tasks-no-related-task-meta-on-inlined-result",
      end.result?["result"]?["_meta"]?[MetaKey.relatedTask] == nil, end.summary)
  }

  private static let dispatch: Scenario = { peer, verdicts in
    for (id, method) in [
      ("sep-2663-tasks-result-removed-method-not-found", "tasks/result"), ("tasks-removed-tasks-list", "tasks/list"),
    ] {
      let reply = try await peer.ask(method, ["taskId": "any"])
      verdicts.check(id, reply.errorCode == -32601, reply.summary)
    }
    let unasked = try await begin(peer, "failing_job")
    verdicts.check("tasks-server-directed-creation-no-hint", isTask(unasked), unasked.summary)
    let legacy = try await begin(
      peer, "greet", ["name": "you"], more: ["task": ["ttl": 60_000, "pollInterval": 100]])
    verdicts.check(
      "sep-2663-legacy-task-param-ignored", isComplete(legacy) && legacy.result?["taskId"] == nil, legacy.summary)
    let instant = try await begin(peer, "slow_compute", ["seconds": 0, "label": "x"])
    verdicts.check(
      "tasks-immediate-result-shortcut", isTask(instant) || instant.result?["content"]?.arrayValue != nil,
      instant.summary)

    let long = try await begin(peer, "slow_compute", ["seconds": 60])
    let found = try await get(peer, long)
    verdicts.check("sep-2663-durable-create-strong-consistency", found.result?["taskId"] == id(long), found.summary)
    let parked = try await begin(peer, "confirm_delete", ["filename": "a.txt"])
    _ = try await wait(peer, parked, until: ["input_required"])
    let update = try await peer.ask(
      "tasks/update", ["taskId": id(parked), "inputResponses": ["unknown": ["ignored": true]]])
    let cancel = try await peer.ask("tasks/cancel", ["taskId": id(parked)])
    for reply in [legacy, found, update, cancel] {
      verdicts.check("tasks-result-type-complete-on-non-task-responses", isComplete(reply), reply.summary)
    }
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
      let reply = try await peer.ask(method, ["taskId": "no-such-task", "inputResponses": [:]])
      verdicts.check("sep-2663-tasks-get-invalid-task-id-32602", reply.errorCode == -32602, reply.summary)
    }
  }

  private static let input: Scenario = { peer, verdicts in
    let one = try await begin(peer, "confirm_delete", ["filename": "a.txt"])
    let waiting = try await wait(peer, one, until: ["input_required", "completed"])
    verdicts.check(
      "sep-2663-tasks-get-status-input-required",
      status(waiting) == "input_required" && requests(waiting).contains { $0.value["method"] == "elicitation/create" },
      waiting.summary)
    let responses = again(waiting)["inputResponses"] ?? [:]
    let acknowledged = try await peer.ask("tasks/update", ["taskId": id(one), "inputResponses": responses])
    let end = try await wait(peer, one)
    verdicts.check(
      "tasks-mrtr-tasks-update-resumes", isEmpty(acknowledged) && status(end) == "completed",
      acknowledged.summary + end.summary)

    let two = try await begin(peer, "multi_input")
    let both = try await wait(peer, two, until: ["input_required", "completed"])
    let keys = requests(both).map(\.key)
    verdicts.check("tasks-mrtr-partial-fulfillment", keys.count == 2, both.summary)
    for (count, key) in keys.enumerated() {
      let reply = try await peer.ask(
        "tasks/update",
        ["taskId": id(two), "inputResponses": .object([key: .object(answers["elicitation/create"] ?? [:])])])
      verdicts.check("tasks-mrtr-partial-fulfillment", isEmpty(reply), reply.summary)
      if count == 0 {
        let rest = try await get(peer, two)
        verdicts.check(
          "tasks-mrtr-partial-fulfillment",
          status(rest) == "input_required" && requests(rest).map(\.key) == [keys[1]], rest.summary)
      }
    }
    let done = try await wait(peer, two)
    verdicts.check("tasks-mrtr-partial-fulfillment", status(done) == "completed", done.summary)
  }

  private static let headers: Scenario = { peer, verdicts in
    let right = try await begin(peer, "greet", ["name": "you"])
    verdicts.check("tasks-headers-tolerate-mcp-method-on-tools-call", right.text == "Hello, you!", right.summary)
    let task = try await begin(peer, "slow_compute", ["seconds": 60])
    let found = try await get(peer, task)
    verdicts.check(
      "sep-2663-routing-headers-accepted-on-tasks-get",
      found.result?["taskId"] == id(task) && status(found) == "working", found.summary)
    let method = try await peer.call("greet", ["name": "you"], headers: ["Mcp-Method": "tasks/get"])
    verdicts.check(
      "tasks-headers-reject-mismatched-method", method.status == 400 && method.errorCode == -32020, method.summary)
    let name = try await peer.ask("tasks/get", ["taskId": id(task)], headers: ["Mcp-Name": "another-task"])
    verdicts.check(
      "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get", name.status == 400 && name.errorCode == -32020,
      name.summary)
  }
}
