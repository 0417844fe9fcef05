import MartletJSON

@testable import MartletMCP

/// Requests that end with questions and are made again with the answers.
extension ServerScenarios {
  static let rounds: [String: Scenario] = [
    "input-required-result-basic-elicitation": asking("elicitation", "elicitation", "elicitation/create"),
    "input-required-result-basic-sampling": asking("sampling", "sampling", "sampling/createMessage"),
    "input-required-result-basic-list-roots": asking("list-roots", "list_roots", "roots/list"),
    "input-required-result-request-state": { peer, verdicts in
      let first = try await call(peer, "request_state")
      let state = first.result?["requestState"]
      verdicts.check(
        "sep-2322-request-state-incomplete",
        asks(first) && state?.stringValue != nil && requests(first)["confirm"] != nil, first.summary)
      let second = try await call(peer, "request_state", after: first)
      verdicts.check(
        "sep-2322-request-state-complete", isComplete(second) && second.text.contains("state-ok"), second.summary)
    },
    "input-required-result-multiple-input-requests": { peer, verdicts in
      let first = try await call(peer, "multiple_inputs")
      let methods = requests(first).map { $0.value["method"]?.stringValue }
      verdicts.check(
        "sep-2322-multiple-inputs-incomplete",
        asks(first) && Set(methods) == ["elicitation/create", "sampling/createMessage", "roots/list"]
          && first.result?["requestState"]?.stringValue != nil, first.summary)
      let second = try await call(peer, "multiple_inputs", after: first)
      verdicts.check("sep-2322-multiple-inputs-complete", isComplete(second), second.summary)
    },
    "input-required-result-multi-round": { peer, verdicts in
      let first = try await call(peer, "multi_round")
      let states = { (reply: RawPeer.Reply) in reply.result?["requestState"]?.stringValue }
      verdicts.check(
        "sep-2322-multi-round-r1", asks(first) && requests(first)["step1"] != nil && states(first) != nil, first.summary
      )
      let second = try await call(peer, "multi_round", after: first)
      verdicts.check(
        "sep-2322-multi-round-r2",
        asks(second) && requests(second)["step2"] != nil && states(second) != nil && states(second) != states(first),
        second.summary)
      let third = try await call(peer, "multi_round", after: second)
      verdicts.check("sep-2322-multi-round-r3", isComplete(third), third.summary)
    },
    "input-required-result-missing-input-response": { peer, verdicts in
      let reply = try await call(
        peer, "elicitation", ["inputResponses": ["wrong_key": .object(answers["elicitation/create"] ?? [:])]])
      verdicts.check(
        "sep-2322-missing-response-rerequests", asks(reply) && requests(reply)["user_name"] != nil, reply.summary)
    },
    "input-required-result-non-tool-request": { peer, verdicts in
      let first = try await peer.ask("prompts/get", ["name": "test_input_required_result_prompt"])
      verdicts.check(
        "sep-2322-non-tool-incomplete", asks(first) && requests(first)["user_context"] != nil, first.summary)
      var params = again(first)
      params["name"] = "test_input_required_result_prompt"
      let second = try await peer.ask("prompts/get", params)
      verdicts.check(
        "sep-2322-non-tool-complete", isComplete(second) && second.result?["messages"]?.arrayValue != nil,
        second.summary)
    },
    "input-required-result-result-type": { peer, verdicts in
      let asked = try await call(peer, "elicitation")
      verdicts.check("sep-2322-result-type-included", asks(asked), asked.summary)
      for method in ["server/discover", "tools/list", "prompts/list", "resources/list"] {
        let reply = try await peer.ask(method)
        verdicts.check("sep-2322-result-type-included", isComplete(reply), reply.summary)
      }
    },
    "input-required-result-unsupported-methods": { peer, verdicts in
      for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"] {
        let reply = try await peer.ask(method)
        verdicts.check(
          "sep-2322-not-on-unsupported-requests", isComplete(reply) && reply.result?["inputRequests"] == nil,
          reply.summary)
      }
    },
    "input-required-result-tampered-state": { peer, verdicts in
      let first = try await call(peer, "tampered_state")
      let state = first.result?["requestState"]?.stringValue ?? ""
      verdicts.check("sep-2322-reject-tampered-state", !state.isEmpty, first.summary)
      var changed = Array(state)
      if !changed.isEmpty { changed[changed.count / 2] = changed[changed.count / 2] == "A" ? "B" : "A" }
      for text in [String(changed), state + "x", "tampered", ""] {
        var params = again(first)
        params["requestState"] = .string(text)
        let reply = try await call(peer, "tampered_state", params)
        verdicts.check("sep-2322-reject-tampered-state", reply.errorCode != nil, "\(text): \(reply.summary)")
      }
    },
    "input-required-result-capability-check": { peer, verdicts in
      for (capability, method) in [
        ("sampling", "sampling/createMessage"), ("elicitation", "elicitation/create"), ("roots", "roots/list"),
      ] {
        let reply = try await call(peer.declaring([capability: [:]]), "capabilities")
        verdicts.check(
          "sep-2322-respect-client-capabilities",
          asks(reply) && requests(reply).allSatisfy { $0.value["method"]?.stringValue == method }, reply.summary)
      }
      let reply = try await call(peer.declaring([:]), "capabilities")
      verdicts.check("sep-2322-respect-client-capabilities", isComplete(reply), reply.summary)
    },
    "input-required-result-ignore-extra-params": { peer, verdicts in
      let first = try await call(peer, "elicitation")
      var params = again(first)
      var responses = params["inputResponses"]?.objectValue ?? [:]
      responses["nobody_asked"] = ["action": "accept", "content": ["more": true]]
      params["inputResponses"] = .object(responses)
      let second = try await call(peer, "elicitation", params)
      verdicts.check("sep-2322-ignore-unexpected-params", isComplete(second), second.summary)
    },
    "input-required-result-validate-input": { peer, verdicts in
      for odd: JSONValue in [42, nil, "Alice", ["action": "perhaps"], ["error": ["code": -1, "message": "no"]]] {
        let reply = try await call(peer, "elicitation", ["inputResponses": ["user_name": odd]])
        verdicts.check(
          "sep-2322-validate-input-responses", reply.errorCode != nil || asks(reply), "\(odd): \(reply.summary)")
      }
      for odd: JSONValue in [42, nil, "Alice", []] {
        let reply = try await call(peer, "elicitation", ["inputResponses": odd])
        verdicts.check(
          "sep-2322-error-on-protocol-error", reply.errorCode != nil || asks(reply), "\(odd): \(reply.summary)")
      }
    },
  ]

  /// What the suite answers to each kind of question.
  static let answers: [String: JSONObject] = [
    "elicitation/create": [
      "action": "accept",
      "content": ["name": "Alice", "color": "blue", "ok": true, "confirm": true, "context": "test"],
    ],
    "sampling/createMessage": [
      "role": "assistant", "content": ["type": "text", "text": "Paris"], "model": "suite", "stopReason": "endTurn",
    ],
    "roots/list": ["roots": [["uri": "file:///workspace", "name": "Workspace"]]],
  ]

  static func asks(_ reply: RawPeer.Reply) -> Bool { reply.result?["resultType"] == "input_required" }
  static func isComplete(_ reply: RawPeer.Reply) -> Bool { reply.result?["resultType"] == "complete" }
  static func requests(_ reply: RawPeer.Reply) -> JSONObject { reply.result?["inputRequests"]?.objectValue ?? [:] }

  /// What a request is made again with: answers to all that was asked, and the state that came.
  static func again(_ reply: RawPeer.Reply) -> JSONObject {
    var responses = JSONObject()
    for (key, request) in requests(reply) {
      responses[key] = .object(answers[request["method"]?.stringValue ?? ""] ?? [:])
    }
    var params: JSONObject = ["inputResponses": .object(responses)]
    if let state = reply.result?["requestState"] { params["requestState"] = state }
    return params
  }

  private static func call(
    _ peer: RawPeer, _ tool: String, _ more: JSONObject = [:], after: RawPeer.Reply? = nil
  ) async throws -> RawPeer.Reply {
    try await peer.call("test_input_required_result_\(tool)", more: after.map(again) ?? more)
  }

  /// Asks one thing, and is done with the answer.
  private static func asking(_ id: String, _ tool: String, _ method: String) -> Scenario {
    { peer, verdicts in
      let first = try await call(peer, tool)
      verdicts.check(
        "sep-2322-\(id)-incomplete",
        asks(first) && requests(first).map { $0.value["method"]?.stringValue } == [method], first.summary)
      let second = try await call(peer, tool, after: first)
      verdicts.check("sep-2322-\(id)-complete", isComplete(second) && !second.text.isEmpty, second.summary)
    }
  }
}
