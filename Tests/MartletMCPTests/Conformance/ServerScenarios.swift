import MartletHTTP
import MartletJSON

@testable import MartletMCP

/// What the suite does to a server, by the names of its scenarios. Each gets a client that has not said anything yet.
enum ServerScenarios {
  typealias Scenario = @Sendable (RawPeer, Verdicts) async throws -> Void

  static let all: [String: Scenario] = basic.merging(stateless) { $1 }.merging(rounds) { $1 }.merging(tasks) { $1 }

  /// A scenario with one check of its own name: whether what a request gives is right.
  private static func one(
    _ id: String, _ method: String, _ params: JSONObject = [:], answers: [String: JSONObject] = [:],
    _ isRight: @escaping @Sendable (RawPeer.Reply) -> Bool
  ) -> (String, Scenario) {
    (
      id,
      { peer, verdicts in
        try await peer.begin()
        let reply = try await peer.ask(method, params, answers: answers)
        verdicts.check(id, reply.result != nil && isRight(reply), reply.summary)
      }
    )
  }

  private static func call(
    _ id: String, _ tool: String, _ arguments: JSONObject = [:], more: JSONObject = [:],
    answers: [String: JSONObject] = [:], _ isRight: @escaping @Sendable (RawPeer.Reply) -> Bool
  ) -> (String, Scenario) {
    var params: JSONObject = ["name": .string(tool), "arguments": .object(arguments)]
    params.merge(more)
    return one(id, "tools/call", params, answers: answers, isRight)
  }

  private static func has(_ reply: RawPeer.Reply, _ kinds: String...) -> Bool {
    (reply.result?["content"]?.arrayValue ?? []).map { $0["type"]?.stringValue } == kinds
  }

  private static func isMedia(_ block: JSONValue?, _ type: String) -> Bool {
    block?["mimeType"]?.stringValue == type && block?["data"]?.stringValue?.isEmpty == false
  }

  private static let accepted: JSONObject = ["action": "accept", "content": ["response": "yes"]]

  // MARK: Both eras

  static let basic: [String: Scenario] = Dictionary(
    uniqueKeysWithValues: [
      one("logging-set-level", "logging/setLevel", ["level": "info"]) { $0.result == [:] },
      one("ping", "ping") { $0.result == [:] },
      one(
        "completion-complete", "completion/complete",
        [
          "ref": ["type": "ref/prompt", "name": "test_prompt_with_arguments"],
          "argument": ["name": "arg1", "value": "par"],
        ]
      ) { ($0.result?["completion"]?["values"]?.arrayValue ?? []).allSatisfy { $0.stringValue != nil } },
      call("tools-call-simple-text", "test_simple_text") { has($0, "text") && !$0.text.isEmpty },
      call("tools-call-image", "test_image_content") {
        has($0, "image") && isMedia($0.result?["content"]?[0], "image/png")
      },
      call("tools-call-audio", "test_audio_content") {
        has($0, "audio") && isMedia($0.result?["content"]?[0], "audio/wav")
      },
      call("tools-call-embedded-resource", "test_embedded_resource") {
        let resource = $0.result?["content"]?[0]?["resource"]
        return has($0, "resource") && resource?["uri"]?.stringValue != nil && resource?["text"]?.stringValue != nil
      },
      call("tools-call-mixed-content", "test_multiple_content_types") { has($0, "text", "image", "resource") },
      call("tools-call-with-logging", "test_tool_with_logging") { reply in
        let logs = reply.all("notifications/message")
        return logs.count >= 3 && logs.allSatisfy { $0["level"] == "info" && $0["data"] != nil }
      },
      call("tools-call-error", "test_error_handling") { $0.result?["isError"] == true && !$0.text.isEmpty },
      call("tools-call-with-progress", "test_tool_with_progress", more: ["_meta": ["progressToken": "p-1"]]) { reply in
        let steps = reply.all("notifications/progress")
        let values = steps.compactMap { $0["progress"]?.doubleValue }
        return values.count >= 3 && values == values.sorted() && Set(values).count == values.count
          && steps.allSatisfy { $0["progressToken"] == "p-1" && $0["total"] == 100 }
      },
      call(
        "tools-call-sampling", "test_sampling", ["prompt": "Say hello"],
        answers: [
          "sampling/createMessage": [
            "role": "assistant", "content": ["type": "text", "text": "hello from the model"], "model": "suite",
            "stopReason": "endTurn",
          ]
        ]
      ) {
        $0.all("sampling/createMessage").first?["messages"]?[0]?["content"]?["text"] == "Say hello"
          && $0.text.contains("hello from the model")
      },
      call(
        "tools-call-elicitation", "test_elicitation", ["message": "Are you there?"],
        answers: ["elicitation/create": accepted]
      ) {
        let asked = $0.all("elicitation/create").first
        return asked?["message"] == "Are you there?" && asked?["requestedSchema"]?["properties"] != nil
          && $0.text.contains("accept")
      },
      one("resources-list", "resources/list") { reply in
        let resources = reply.result?["resources"]?.arrayValue ?? []
        return !resources.isEmpty
          && resources.allSatisfy {
            $0["name"]?.stringValue != nil && $0["uri"]?.stringValue?.contains("://") == true
          }
      },
      one("resources-read-text", "resources/read", ["uri": "test://static-text"]) {
        let contents = $0.result?["contents"]?[0]
        return contents?["uri"] == "test://static-text" && contents?["text"]?.stringValue != nil
      },
      one("resources-read-binary", "resources/read", ["uri": "test://static-binary"]) {
        let contents = $0.result?["contents"]?[0]
        return contents?["mimeType"] == "image/png" && contents?["blob"]?.stringValue?.isEmpty == false
      },
      one("resources-templates-read", "resources/read", ["uri": "test://template/123/data"]) {
        let contents = $0.result?["contents"]?[0]
        return contents?["uri"] == "test://template/123/data" && contents?["text"]?.stringValue?.contains("123") == true
      },
      one("resources-subscribe", "resources/subscribe", ["uri": "test://watched-resource"]) { $0.result == [:] },
      one("resources-unsubscribe", "resources/unsubscribe", ["uri": "test://watched-resource"]) { $0.result == [:] },
      one("prompts-list", "prompts/list") { reply in
        let prompts = reply.result?["prompts"]?.arrayValue ?? []
        return prompts.allSatisfy { $0["name"]?.stringValue != nil && $0["description"]?.stringValue != nil }
          && prompts.contains {
            $0["name"] == "test_prompt_with_arguments"
              && $0["arguments"]?.arrayValue?.map { $0["name"]?.stringValue } == ["arg1", "arg2"]
          }
      },
      one("prompts-get-simple", "prompts/get", ["name": "test_simple_prompt"]) {
        $0.result?["messages"]?[0]?["content"]?["type"] == "text"
      },
      one(
        "prompts-get-with-args", "prompts/get",
        ["name": "test_prompt_with_arguments", "arguments": ["arg1": "one", "arg2": "two"]]
      ) {
        let text = $0.result?["messages"]?[0]?["content"]?["text"]?.stringValue ?? ""
        return text.contains("one") && text.contains("two")
      },
      one(
        "prompts-get-embedded-resource", "prompts/get",
        ["name": "test_prompt_with_embedded_resource", "arguments": ["resourceUri": "test://example"]]
      ) {
        let content = $0.result?["messages"]?[0]?["content"]
        return content?["type"] == "resource" && content?["resource"]?["uri"] == "test://example"
      },
      one("prompts-get-with-image", "prompts/get", ["name": "test_prompt_with_image"]) {
        let content = $0.result?["messages"]?[0]?["content"]
        return content?["type"] == "image" && isMedia(content, "image/png")
      },
      ("server-initialize", initialize), ("server-session-lifecycle", lifecycle), ("tools-list", listTools),
      ("json-schema-2020-12", schema), ("elicitation-sep1034-defaults", defaults),
      ("elicitation-sep1330-enums", enums), ("server-sse-polling", polling),
      ("server-sse-multiple-streams", streams), ("dns-rebinding-protection", rebinding),
    ])

  private static let initialize: Scenario = { peer, verdicts in
    let reply = try await peer.begin()
    let result = reply?.result
    verdicts.check(
      "server-initialize",
      result?["protocolVersion"]?.stringValue == peer.revision.rawValue && result?["capabilities"]?.objectValue != nil
        && result?["serverInfo"]?["name"]?.stringValue != nil && result?["serverInfo"]?["version"]?.stringValue != nil,
      reply?.summary ?? "")
    verdicts.check(
      "server-session-id-visible-ascii",
      peer.session.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? false, "no session")
  }

  private static let lifecycle: Scenario = { peer, verdicts in
    try await peer.begin()
    let accepted = try await peer.tell("notifications/initialized")
    verdicts.check("server-session-initialized-accepted", accepted == 202, "\(accepted)")
    let deleted = try await peer.send(.delete)
    deleted.body.finish()
    verdicts.check("server-session-delete-accepted", (200..<300).contains(deleted.status), "\(deleted.status)")
    let after = try await peer.ask("tools/list")
    verdicts.check("server-session-terminated-returns-404", after.status == 404, after.summary)
  }

  private static let listTools: Scenario = { peer, verdicts in
    try await peer.begin()
    let reply = try await peer.ask("tools/list")
    let tools = reply.result?["tools"]?.arrayValue ?? []
    verdicts.check(
      "tools-list",
      !tools.isEmpty
        && tools.allSatisfy {
          $0["name"]?.stringValue != nil && $0["description"]?.stringValue != nil
            && $0["inputSchema"]?["type"] == "object"
        }, reply.summary)
    let names = tools.compactMap { $0["name"]?.stringValue }
    verdicts.check(
      "tools-name-format",
      names.allSatisfy { name in
        (1...64).contains(name.utf8.count)
          && name.utf8.allSatisfy { HeaderText.isTokenByte($0) || $0 == UInt8(ascii: "/") }
      }, "\(names)")
  }

  private static let schema: Scenario = { peer, verdicts in
    try await peer.begin()
    let tools = try await peer.ask("tools/list").result?["tools"]?.arrayValue ?? []
    let schema = tools.first { $0["name"] == "json_schema_2020_12_tool" }?["inputSchema"]
    verdicts.check("json-schema-2020-12-tool-found", schema != nil)
    verdicts.check(
      "json-schema-2020-12-$schema", schema?["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    let address = schema?["$defs"]?["address"]
    verdicts.check("json-schema-2020-12-$defs", address?["properties"]?["street"] != nil)
    verdicts.check("json-schema-2020-12-additionalProperties", schema?["additionalProperties"] == false)
    verdicts.check(
      "sep-2106-composition-keywords-preserved", schema?["allOf"]?[0]?["anyOf"]?.arrayValue?.isEmpty == false)
    verdicts.check(
      "sep-2106-conditional-keywords-preserved",
      schema?["if"] != nil && schema?["then"] != nil && schema?["else"] != nil)
    verdicts.check("sep-2106-anchor-keyword-preserved", address?["$anchor"]?.stringValue != nil)
  }

  /// The properties of the form that a tool asks with.
  private static func form(_ tool: String, _ peer: RawPeer) async throws -> JSONValue? {
    try await peer.begin()
    let reply = try await peer.call(tool, answers: ["elicitation/create": ["action": "accept", "content": [:]]])
    return reply.all("elicitation/create").first?["requestedSchema"]?["properties"]
  }

  private static let defaults: Scenario = { peer, verdicts in
    let fields = try await form("test_elicitation_sep1034_defaults", peer)
    let expected: [(String, String, String, JSONValue)] = [
      ("string", "name", "string", "John Doe"), ("integer", "age", "integer", 30), ("number", "score", "number", 95.5),
      ("enum", "status", "string", "active"), ("boolean", "verified", "boolean", true),
    ]
    for (kind, name, type, value) in expected {
      let field = fields?[name]
      verdicts.check(
        "elicitation-sep1034-\(kind)-default", field?["type"]?.stringValue == type && field?["default"] == value,
        field?.text() ?? "no field")
    }
  }

  private static let enums: Scenario = { peer, verdicts in
    let fields = try await form("test_elicitation_sep1330_enums", peer)
    func isTitled(_ choices: JSONValue?) -> Bool {
      guard let choices = choices?.arrayValue, !choices.isEmpty else { return false }
      return choices.allSatisfy { $0["const"]?.stringValue != nil && $0["title"]?.stringValue != nil }
    }
    let untitled = fields?["untitledSingle"]
    verdicts.check(
      "elicitation-sep1330-untitled-single",
      untitled?["type"] == "string" && untitled?["enum"]?.arrayValue != nil && untitled?["enumNames"] == nil)
    verdicts.check("elicitation-sep1330-titled-single", isTitled(fields?["titledSingle"]?["oneOf"]))
    let legacy = fields?["legacyEnum"]
    verdicts.check(
      "elicitation-sep1330-legacy-enumnames",
      legacy?["enum"]?.arrayValue?.count == legacy?["enumNames"]?.arrayValue?.count && legacy?["enumNames"] != nil)
    let multi = fields?["untitledMulti"]
    verdicts.check(
      "elicitation-sep1330-untitled-multi", multi?["type"] == "array" && multi?["items"]?["enum"]?.arrayValue != nil)
    let titled = fields?["titledMulti"]
    verdicts.check(
      "elicitation-sep1330-titled-multi", titled?["type"] == "array" && isTitled(titled?["items"]?["anyOf"]))
  }

  // MARK: HTTP

  private static let polling: Scenario = { peer, verdicts in
    try await peer.begin()
    let response = try await peer.post(peer.described("tools/call", ["name": "test_reconnection", "arguments": [:]]))
    let text = String(decoding: try await response.body.bytes(limit: 1 << 20), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmed }
    verdicts.check("incoming-sse-event", response.mediaType == "text/event-stream" && !text.isEmpty, text)
    verdicts.check("stream-closed", !text.contains(#""result""#), text)
    let id = lines.first { $0.hasPrefix("id:") }?.dropFirst(3).trimmed ?? ""
    let primes = lines.prefix { !$0.isEmpty }.contains { $0 == "data:" }
    verdicts.check("server-sse-priming-event", !id.isEmpty && primes, text)
    verdicts.check(
      "server-sse-retry-field", lines.contains { $0.hasPrefix("retry:") && Int($0.dropFirst(6).trimmed) != nil }, text)
    let last = lines.last { $0.hasPrefix("id:") }?.dropFirst(3).trimmed ?? ""
    let resumed = try await peer.read(try await peer.send(.get, ["Last-Event-ID": String(last)])) {
      $0["method"] != nil
    }
    verdicts.check("server-sse-disconnect-resume", resumed.result?["content"] != nil, resumed.summary)
  }

  private static let streams: Scenario = { peer, verdicts in
    try await peer.begin()
    let replies = try await withThrowingTaskGroup(of: RawPeer.Reply.self) { group in
      for _ in 0..<3 {
        group.addTask { try await peer.call("test_tool_with_progress", more: ["_meta": ["progressToken": 1]]) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    verdicts.check("server-accepts-multiple-post-streams", replies.allSatisfy { $0.status == 200 })
    verdicts.check(
      "server-sse-streams-functional",
      replies.allSatisfy { $0.result != nil && $0.all("notifications/progress").count == 3 },
      replies.map(\.summary).joined(separator: "; "))
  }

  private static let rebinding: Scenario = { peer, verdicts in
    let request = peer.described(
      peer.isModern ? "server/discover" : "initialize",
      [
        "protocolVersion": .string(peer.revision.rawValue), "capabilities": [:],
        "clientInfo": ["name": "suite", "version": "1"],
      ])
    for headers in [
      ["Host": "evil.example.com", "Origin": "http://evil.example.com"], ["Origin": "http://evil.example"],
    ] {
      let response = try await peer.post(request, headers)
      response.body.finish()
      verdicts.check("localhost-host-rebinding-rejected", (400..<500).contains(response.status), "\(response.status)")
    }
    let port = peer.url.split(separator: ":").last?.prefix { $0 != "/" } ?? ""
    let local = try await peer.post(request, ["Host": "localhost:\(port)", "Origin": "http://localhost:\(port)"])
    local.body.finish()
    verdicts.check("localhost-host-valid-accepted", (200..<300).contains(local.status), "\(local.status)")
  }
}
