import MartletHTTP
import MartletJSON
import MartletSync

@testable import MartletMCP

/// What 2026-07-28 asks of a server on every request.
extension ServerScenarios {
  static let stateless: [String: Scenario] = [
    "server-stateless": { peer, verdicts in
      let peer = peer.declaring([:])
      try await descriptions(peer, verdicts)
      try await discovery(peer, verdicts)
      try await refusals(peer, verdicts)
      try await streamsOfRequests(peer, verdicts)
      try await listening(peer, verdicts)
    },
    "sep-2164-resource-not-found": { peer, verdicts in
      let reply = try await peer.ask("resources/read", ["uri": "test://no-such-resource"])
      verdicts.check("sep-2164-no-empty-contents", reply.result == nil, reply.summary)
      verdicts.check("sep-2164-error-code", reply.errorCode == -32602, reply.summary)
      verdicts.check("sep-2164-data-uri", reply.errorData?["uri"] == "test://no-such-resource", reply.summary)
    },
    "caching": { peer, verdicts in
      let requests: [(String, String, JSONObject)] = [
        ("tools-list", "tools/list", [:]), ("prompts-list", "prompts/list", [:]),
        ("resources-list", "resources/list", [:]), ("resources-templates-list", "resources/templates/list", [:]),
        ("resources-read", "resources/read", ["uri": "test://static-text"]),
      ]
      for (id, method, params) in requests {
        let result = try await peer.ask(method, params).result
        let (life, scope) = (result?["ttlMs"]?.intValue, result?["cacheScope"]?.stringValue)
        verdicts.check("sep-2549-\(id)-caching-hints", life != nil && scope != nil, "\(String(describing: result))")
        verdicts.check("sep-2549-ttl-non-negative", life ?? -1 >= 0)
        verdicts.check("sep-2549-cache-scope-valid", scope == "public" || scope == "private")
      }
    },
    "http-header-validation": headerValidation, "http-custom-header-server-validation": markedArguments,
  ]

  // MARK: server-stateless

  private static func descriptions(_ peer: RawPeer, _ verdicts: Verdicts) async throws {
    let incomplete: [(String, JSONObject?)] = [
      ("missing-meta", nil),
      (
        "missing-protocol-version",
        [MetaKey.clientCapabilities: [:], MetaKey.clientInfo: ["name": "s", "version": "1"]]
      ),
      ("missing-client-capabilities", [MetaKey.revision: .string(peer.revision.rawValue)]),
    ]
    for (number, (id, meta)) in incomplete.enumerated() {
      let reply = try await raw(peer, "server/discover", meta, id: 101 + number, verdicts)
      verdicts.check("sep-2575-request-meta-invalid-\(id)", reply.errorCode == -32602, reply.summary)
      verdicts.check("sep-2575-http-server-meta-invalid-400", reply.status == 400, reply.summary)
    }
    var meta = peer.meta
    meta[MetaKey.clientInfo] = nil
    let anonymous = try await raw(peer, "server/discover", meta, id: 110, verdicts)
    verdicts.check("sep-2575-request-meta-client-info-optional", anonymous.result != nil, anonymous.summary)
  }

  /// A request with `_meta` exactly as given; notes whether an error carries its id.
  private static func raw(
    _ peer: RawPeer, _ method: String, _ meta: JSONObject?, id: Int, params: JSONObject = [:],
    headers: [String: String?] = [:], _ verdicts: Verdicts
  ) async throws -> RawPeer.Reply {
    var params = params
    if let meta { params["_meta"] = .object(meta) }
    let body: JSONValue = [
      "jsonrpc": "2.0", "id": JSONValue(id), "method": .string(method), "params": .object(params),
    ]
    let reply = try await peer.read(try await peer.post(body, headers), id: JSONValue(id))
    if reply.errorCode != nil {
      verdicts.check("sep-2575-http-server-error-jsonrpc-id", reply.answer?["id"] == JSONValue(id), reply.summary)
    }
    return reply
  }

  private static func discovery(_ peer: RawPeer, _ verdicts: Verdicts) async throws {
    let reply = try await peer.ask("server/discover")
    let capabilities = reply.result?["capabilities"]
    verdicts.check(
      "sep-2575-server-implements-discover",
      reply.result?["supportedVersions"]?.arrayValue?.contains(.string(peer.revision.rawValue)) == true
        && capabilities?.objectValue != nil, reply.summary)
    verdicts.check(
      "sep-2575-server-identifies-in-result-meta",
      reply.result?["_meta"]?[MetaKey.serverInfo]?["name"]?.stringValue != nil, reply.summary)
    verdicts.check("sep-2575-server-declares-prompts-in-discover", capabilities?["prompts"]?.objectValue != nil)
    let offered: [(String, String, JSONObject)] = [
      ("tools", "tools/list", [:]), ("prompts", "prompts/list", [:]), ("resources", "resources/list", [:]),
      (
        "completions", "completion/complete",
        ["ref": ["type": "ref/prompt", "name": "x"], "argument": ["name": "a", "value": ""]]
      ),
    ]
    for (name, method, params) in offered {
      let reply = try await peer.ask(method, params)
      verdicts.check(
        "sep-2575-discover-capabilities-match-handlers",
        (capabilities?[name] != nil) == (reply.result != nil), "\(name): \(reply.summary)")
    }
  }

  private static func refusals(_ peer: RawPeer, _ verdicts: Verdicts) async throws {
    var unknown = peer.meta
    unknown[MetaKey.revision] = "v999.0.0"
    let version = try await raw(
      peer, "server/discover", unknown, id: 301, headers: ["MCP-Protocol-Version": "v999.0.0"], verdicts)
    let offered = try await peer.ask("server/discover").result?["supportedVersions"]?.arrayValue ?? []
    let supported = version.errorData?["supported"]?.arrayValue ?? []
    verdicts.check(
      "sep-2575-server-unsupported-version-error",
      version.errorCode == -32022 && !supported.isEmpty && supported.allSatisfy(offered.contains)
        && version.errorData?["requested"] == "v999.0.0", version.summary)
    verdicts.check("sep-2575-http-server-unsupported-version-400", version.status == 400, version.summary)
    for meta in [unknown, peer.meta] {
      let header = meta[MetaKey.revision] == "v999.0.0" ? peer.revision.rawValue : "2025-11-25"
      let reply = try await raw(
        peer, "server/discover", meta, id: 302, headers: ["MCP-Protocol-Version": header], verdicts)
      verdicts.check(
        "sep-2575-http-server-header-mismatch-400", reply.status == 400 && reply.errorCode == -32020, reply.summary)
    }
    let missing = try await raw(
      peer, "tools/call", peer.meta, id: 401, params: ["name": "test_missing_capability", "arguments": [:]], verdicts)
    verdicts.check(
      "sep-2575-server-rejects-undeclared-capability",
      missing.errorCode == -32021 && missing.errorData?["requiredCapabilities"]?["sampling"]?.objectValue != nil,
      missing.summary)
    verdicts.check("sep-2575-missing-capability-http-400", missing.status == 400, missing.summary)
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "no/such"]
    {
      let reply = try await raw(peer, method, peer.meta, id: 500, verdicts)
      let rest = method == "no/such" ? "" : "-" + method.lowercased().replacing("/", with: "-")
      verdicts.check(
        "sep-2575-http-server-method-not-found-404\(rest)", reply.status == 404 && reply.errorCode == -32601,
        "\(method): \(reply.summary)")
    }
  }

  private static func streamsOfRequests(_ peer: RawPeer, _ verdicts: Verdicts) async throws {
    let asking = peer.declaring(["elicitation": [:]])
    let reply = try await asking.call("test_streaming_elicitation", more: ["_meta": ["progressToken": 1]])
    verdicts.check(
      "sep-2575-http-server-no-independent-requests-on-stream",
      reply.result?["resultType"] == "input_required"
        && reply.messages.allSatisfy { $0["method"]?.stringValue?.hasPrefix("notifications/") ?? true }, reply.summary)
    let silent = try await peer.call("test_logging_tool")
    verdicts.check(
      "sep-2575-server-no-log-without-loglevel",
      silent.result != nil && silent.all("notifications/message").isEmpty, silent.summary)
    let wanted = try await peer.call("test_logging_tool", more: ["_meta": [MetaKey.logLevel: "info"]])
    verdicts.check(
      "sep-2575-server-no-log-without-loglevel", wanted.all("notifications/message").count == 1, wanted.summary)
  }

  /// What a listener hears until it has enough, with something done once it is acknowledged.
  private static func heard(
    _ peer: RawPeer, _ filter: JSONObject, id: JSONValue, count: Int, _ action: () async throws -> Void
  ) async throws -> [JSONValue] {
    let response = try await peer.post(
      peer.described("subscriptions/listen", ["notifications": .object(filter)], id: id))
    let number = Locked(0)
    return try await peer.read(response) { _ in
      let number = number.withLock {
        $0 += 1; return $0
      }
      if number == 1 { try await action() }
      return number < count
    }.messages
  }

  private static func listening(_ peer: RawPeer, _ verdicts: Verdicts) async throws {
    let trigger = { (what: String) in _ = try await peer.call("test_trigger_\(what)_change") }
    let tools = try await heard(peer, ["toolsListChanged": true], id: "listen-1", count: 2) {
      try await trigger("tool")
    }
    let methods = tools.map { $0["method"]?.stringValue }
    verdicts.check(
      "sep-2575-server-sends-subscription-ack",
      methods.first == "notifications/subscriptions/acknowledged"
        && tools[0]["params"]?["notifications"] == ["toolsListChanged": true], "\(tools)")
    verdicts.check(
      "sep-2575-server-tags-subscription-id",
      tools.allSatisfy { $0["params"]?["_meta"]?[MetaKey.subscription] == "listen-1" }, "\(tools)")
    verdicts.check(
      "sep-2575-server-sends-tools-list-changed-on-subscription",
      methods.last == "notifications/tools/list_changed", "\(methods)")
    let prompts = try await heard(peer, ["promptsListChanged": true], id: 7, count: 2) {
      // Were tools told, they would come first.
      try await trigger("tool")
      try await trigger("prompt")
    }.map { $0["method"]?.stringValue }
    verdicts.check(
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      prompts.last == "notifications/prompts/list_changed", "\(prompts)")
    verdicts.check(
      "sep-2575-server-honors-notification-filter", !prompts.contains("notifications/tools/list_changed"),
      "\(prompts)")
  }

  // MARK: Headers

  private static let headerValidation: Scenario = { peer, verdicts in
    let call: JSONObject = ["name": "test_simple_text", "arguments": [:]]
    let refused: [(String, JSONObject, [String: String?])] = [
      ("tools/list", [:], ["Mcp-Method": "prompts/list"]), ("tools/list", [:], ["Mcp-Method": nil]),
      ("tools/list", [:], ["Mcp-Method": "TOOLS/LIST"]), ("tools/call", call, ["Mcp-Name": "wrong"]),
      ("tools/call", call, ["Mcp-Name": nil]), ("tools/call", call, ["Mcp-Name": "TEST_SIMPLE_TEXT"]),
      ("resources/read", ["uri": "test://static-text"], ["Mcp-Name": "test://static-binary"]),
      ("prompts/get", ["name": "test_simple_prompt"], ["Mcp-Name": nil]),
    ]
    for (method, params, headers) in refused {
      let reply = try await peer.ask(method, params, headers: headers)
      verdicts.check("sep-2243-server-reject-invalid-headers", reply.status == 400, "\(headers): \(reply.summary)")
      verdicts.check("sep-2243-server-reject-error-code", reply.errorCode == -32020, "\(headers): \(reply.summary)")
    }
    let blank = try await peer.ask("tools/call", call, headers: ["Mcp-Name": "  test_simple_text  "])
    verdicts.check("sep-2243-server-accepts-whitespace-header-value", blank.result != nil, blank.summary)
    for name in ["mcp-method", "MCP-METHOD"] {
      let reply = try await peer.ask("tools/list", headers: [name: "tools/list"])
      verdicts.check("sep-2243-header-name-case-insensitive", reply.result != nil, reply.summary)
    }
  }

  private static let markedArguments: Scenario = { peer, verdicts in
    let header = "Mcp-Param-Region"
    func call(_ value: String?, _ headerValue: String?) async throws -> RawPeer.Reply {
      try await peer.call(
        "test_x_mcp_header", value.map { ["region": .string($0)] } ?? [:], headers: [header: headerValue])
    }
    func isRefused(_ reply: RawPeer.Reply) -> Bool { reply.status == 400 && reply.errorCode == -32020 }
    let encoded = try await call("日本", "=?base64?5pel5pys?=")
    verdicts.check("sep-2243-server-decode-base64", encoded.result != nil, encoded.summary)
    let plain = try await call("us-west1", "us-west1")
    verdicts.check("sep-2243-server-validate-param-match", plain.result != nil, plain.summary)
    let absent = try await call(nil, nil)
    verdicts.check("sep-2243-server-validate-param-match", absent.result != nil, absent.summary)
    for bad in ["=?base64?!!not base64!!?=", "=?base64?5pel5pys"] {
      let reply = try await call("日本", bad)
      verdicts.check("sep-2243-server-reject-invalid-param-chars", isRefused(reply), reply.summary)
    }
    for (value, headerValue) in [("us-west1", "us-east1"), ("us-west1", nil), ("us-west1", "US-WEST1")] {
      let reply = try await call(value, headerValue)
      verdicts.check("sep-2243-server-reject-param-mismatch", isRefused(reply), reply.summary)
    }
  }
}
