import MartletHTTP
import MartletJSON
import MartletMCPFixtures
import MartletSync
import MartletTesting

@testable import MartletMCP

/// What the suite does to a client, by the names of its scenarios.
enum ClientScenarios {
  static func make(_ name: String) -> ClientScenario? { all[name]?() }

  /// Made anew for each run: some remember what they said.
  private static let all: [String: @Sendable () -> ClientScenario] = [
    "initialize": { initialize }, "tools_call": { toolsCall }, "request-metadata": { requestMetadata },
    "sse-retry": { retry() }, "elicitation-sep1034-client-defaults": { elicitationDefaults() },
    "sep-2322-client-request-state": { requestState() }, "http-standard-headers": { standardHeaders },
    "http-custom-headers": { customHeaders }, "http-invalid-tool-headers": { invalidHeaders },
    "json-schema-ref-no-deref": { reference }, "json-schema-2020-12-preservation": { preservation },
  ]

  private static let initialize = ClientScenario(
    answer: { $0.message?.method == "tools/list" ? $0.tools([ClientScenario.addNumbers]) : HTTPResponse(status: 405) },
    judge: { sent, error, verdicts in
      let params = sent.of("initialize").first?.params
      verdicts.check(
        "mcp-client-initialization",
        params?["protocolVersion"]?.stringValue == verdicts.item.revision.rawValue
          && params?["capabilities"]?.objectValue != nil && params?["clientInfo"]?["name"]?.stringValue != nil
          && params?["clientInfo"]?["version"]?.stringValue != nil, "\(String(describing: params))")
      verdicts.check(
        "server-info",
        error == nil && sent.of("notifications/initialized").count == 1 && sent.of("tools/list").count == 1,
        "\(String(describing: error))")
    })

  private static let toolsCall = ClientScenario(
    answer: { exchange in
      switch exchange.message?.method {
      case "tools/list": exchange.tools([ClientScenario.addNumbers])
      case "tools/call": exchange.text("The sum is 8")
      default: HTTPResponse(status: 405)
      }
    },
    judge: { sent, error, verdicts in
      let call = sent.calls("add_numbers").first
      verdicts.check(
        "tool-add-numbers", error == nil && call?.arguments == ["a": 5, "b": 3] && !sent.of("tools/list").isEmpty,
        "\(String(describing: error))")
    })

  // MARK: Every request describes itself

  private static let requestMetadata = ClientScenario(
    introducesItself: true,
    answer: { exchange in
      // The first of all is refused, with the one version that there is.
      if exchange.message?.method == "server/discover", exchange.count == 1 {
        return exchange.failure(
          -32022, status: 400, data: ["supported": ["2026-07-28"], "requested": "2026-07-28"])
      }
      switch exchange.message?.method {
      case "server/discover":
        return exchange.result([
          "supportedVersions": ["2026-07-28"], "capabilities": [:], "ttlMs": 0, "cacheScope": "private",
        ])
      case "tools/list": return exchange.tools([])
      default: return exchange.result(["content": []])
      }
    },
    judge: { sent, error, verdicts in
      let posts = sent.filter { $0.request.method == .post }
      for post in posts {
        let meta = post.params[object: "_meta"] ?? [:]
        let version = post.header("MCP-Protocol-Version")
        verdicts.check("sep-2575-http-client-sends-version-header", version != nil)
        let capabilities = meta[MetaKey.clientCapabilities]?.objectValue
        verdicts.check("sep-2575-client-populates-meta", meta[MetaKey.revision] != nil && capabilities != nil)
        verdicts.check("sep-2575-client-sends-client-info", meta[MetaKey.clientInfo]?["name"]?.stringValue != nil)
        verdicts.check("sep-2575-http-version-header-matches-meta", meta[MetaKey.revision]?.stringValue == version)
        for name in ["roots", "sampling", "elicitation"] {
          verdicts.check(
            "sep-2575-client-declares-\(name)-capability", capabilities?[name]?.objectValue != nil,
            "\(String(describing: capabilities))")
        }
      }
      verdicts.check(
        "sep-2575-client-retry-supported-version",
        error == nil && posts.count > 1
          && posts.dropFirst().allSatisfy { $0.header("MCP-Protocol-Version") == "2026-07-28" },
        "\(posts.count) requests, \(String(describing: error))")
    })

  private static let standardHeaders = ClientScenario(
    introducesItself: true,
    answer: { exchange in
      switch exchange.message?.method {
      case "server/discover":
        exchange.result([
          "supportedVersions": ["2026-07-28"], "capabilities": ["tools": [:], "resources": [:], "prompts": [:]],
          "ttlMs": 0, "cacheScope": "private",
        ])
      case "tools/list":
        exchange.tools([ClientScenario.tool("my-hyphenated-tool"), ClientScenario.addNumbers])
      case "resources/list":
        exchange.result([
          "resources": [
            ["uri": "file:///path/to/file%20name.txt", "name": "blanks"],
            ["uri": "https://example.com/resource?id=123", "name": "query"], ["uri": "test://日本", "name": "letters"],
          ], "ttlMs": 0, "cacheScope": "private",
        ])
      case "resources/read":
        exchange.result([
          "contents": [["uri": exchange.params["uri"] ?? "", "text": "x"]], "ttlMs": 0, "cacheScope": "private",
        ])
      case "prompts/list":
        exchange.result(["prompts": [["name": "test_prompt"]], "ttlMs": 0, "cacheScope": "private"])
      case "prompts/get": exchange.result(["messages": []])
      default: exchange.text("ok")
      }
    },
    judge: { sent, error, verdicts in
      let id = "sep-2243-client-includes-standard-headers"
      let methods = Set(sent.compactMap { $0.message?.method })
      verdicts.check(
        id, error == nil && methods.isSuperset(of: ["tools/call", "resources/read", "prompts/get"]),
        "\(methods) \(String(describing: error))")
      for exchange in sent where exchange.request.method == .post {
        let method = exchange.message?.method
        verdicts.check(id, exchange.header("Mcp-Method") == method, "\(method ?? "")")
        let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"][method ?? ""]
        guard let named else { continue }
        let header = exchange.header("Mcp-Name").flatMap(HeaderText.decoded)
        verdicts.check(
          id, header != nil && header == exchange.params[string: named], "\(method ?? ""): \(header ?? "")")
      }
    })

  // MARK: Marked arguments

  private static let customHeaders = ClientScenario(
    context: [
      "toolCalls": [
        [
          "name": "test_custom_headers",
          "arguments": [
            "region": "us-west1", "priority": 42, "verbose": false, "debug": true, "empty": "", "method": "test-method",
            "letters": "Hello, 世界", "padded": " padded ", "leading": " us-west1", "trailing": "us-west1 ",
            "inner": "us west 1", "newline": "line1\nline2", "crlf": "line1\r\nline2", "tab": "\tindented",
            "query": "SELECT * FROM users",
          ],
        ],
        [
          "name": "test_custom_headers_null",
          "arguments": ["region": "us-east1", "priority": 1, "verbose": nil, "query": "SELECT 1"],
        ],
      ]
    ],
    answer: { exchange in
      guard exchange.message?.method == "tools/list" else { return exchange.text("ok") }
      func marked(_ type: String, _ name: String) -> JSONValue {
        ["type": .string(type), "x-mcp-header": .string(name)]
      }
      var properties: JSONObject = [
        "priority": marked("integer", "Priority"), "debug": marked("boolean", "Debug"), "query": ["type": "string"],
        "verbose": ["type": ["boolean", "null"], "x-mcp-header": "Verbose"],
      ]
      for name in [
        "region", "empty", "method", "letters", "padded", "leading", "trailing", "inner", "newline", "crlf", "tab",
      ] {
        properties[name] = marked("string", name.prefix(1).uppercased() + name.dropFirst())
      }
      return exchange.tools([
        ClientScenario.tool("test_custom_headers", properties),
        ClientScenario.tool("test_custom_headers_null", properties),
      ])
    },
    judge: { sent, error, verdicts in
      guard let call = sent.calls("test_custom_headers").first else {
        return verdicts.check("sep-2243-client-supports-custom-headers", false, "\(String(describing: error))")
      }
      verdicts.check(
        "sep-2243-client-supports-custom-headers",
        call.request.headers.contains { $0.name.lowercased().hasPrefix("mcp-param-") })
      let safe: [(String, String)] = [
        ("Region", "us-west1"), ("Priority", "42"), ("Verbose", "false"), ("Debug", "true"), ("Empty", ""),
        ("Method", "test-method"), ("Inner", "us west 1"),
      ]
      for (name, value) in safe {
        let header = call.header("Mcp-Param-\(name)")
        verdicts.check("sep-2243-client-mirrors-designated-params", header == value, "\(name): \(header ?? "none")")
        verdicts.check("sep-2243-client-encode-values", header == value, "\(name): \(header ?? "none")")
      }
      for name in ["letters", "padded", "leading", "trailing", "newline", "crlf", "tab"] {
        let header = call.header("Mcp-Param-\(name.prefix(1).uppercased() + name.dropFirst())") ?? ""
        verdicts.check(
          "sep-2243-client-base64-unsafe",
          header.hasPrefix("=?base64?") && HeaderText.decoded(header) == call.arguments[string: name],
          "\(name): \(header)")
      }
      verdicts.check("sep-2243-client-mirrors-designated-params", call.header("Mcp-Param-Query") == nil)
      let null = sent.calls("test_custom_headers_null").first
      verdicts.check(
        "sep-2243-client-omit-null",
        null != nil && null?.header("Mcp-Param-Verbose") == nil && null?.header("Mcp-Param-Region") == "us-east1")
    })

  private static let invalidHeaders = ClientScenario(
    answer: { exchange in
      guard exchange.message?.method == "tools/list" else { return exchange.text("ok") }
      let bad: [(String, JSONObject)] = [
        ("empty", ["a": ["type": "string", "x-mcp-header": ""]]),
        ("number", ["a": ["type": "number", "x-mcp-header": "A"]]),
        ("object", ["a": ["type": "object", "x-mcp-header": "A"]]),
        ("array", ["a": ["type": "array", "x-mcp-header": "A"]]),
        ("null", ["a": ["type": "null", "x-mcp-header": "A"]]),
        ("twice", ["a": ["type": "string", "x-mcp-header": "A"], "b": ["type": "string", "x-mcp-header": "A"]]),
        (
          "twice_by_case",
          ["a": ["type": "string", "x-mcp-header": "A"], "b": ["type": "string", "x-mcp-header": "a"]]
        ),
        ("blank", ["a": ["type": "string", "x-mcp-header": "My Header"]]),
        ("colon", ["a": ["type": "string", "x-mcp-header": "My:Header"]]),
        ("letters", ["a": ["type": "string", "x-mcp-header": "Ünïcode"]]),
        ("control", ["a": ["type": "string", "x-mcp-header": "A\r\nB"]]),
      ]
      return exchange.tools(
        bad.map { ClientScenario.tool("bad_\($0)", $1) } + [
          ClientScenario.tool("valid_tool", ["a": ["type": "string", "x-mcp-header": "A"]], required: ["a"])
        ])
    },
    judge: { sent, error, verdicts in
      let called = Set(sent.of("tools/call").map(\.tool))
      verdicts.check(
        "sep-2243-client-reject-invalid-tool", error == nil && called == ["valid_tool"],
        "\(called) \(String(describing: error))")
      for (id, bad) in [
        ("not-empty", ["empty"]), ("primitive-only", ["number", "object", "array", "null"]),
        ("unique", ["twice", "twice_by_case"]), ("charset", ["blank", "colon", "letters", "control"]),
      ] {
        verdicts.check(
          "sep-2243-x-mcp-header-\(id)",
          called.contains("valid_tool") && called.isDisjoint(with: bad.map { "bad_\($0)" }))
      }
    })

  // MARK: Schemas

  private static let reference = ClientScenario(
    introducesItself: true,
    answer: { exchange in
      // Knows the handshake only, whatever the suite tells the client.
      switch exchange.message?.method {
      case "initialize":
        return exchange.result([
          "protocolVersion": "2025-11-25", "capabilities": ["tools": [:]],
          "serverInfo": ["name": "old", "version": "1"],
        ])
      case "notifications/initialized": return HTTPResponse(status: 202)
      case "tools/list":
        return exchange.tools([
          [
            "name": "network", "description": "Refers to the network.",
            "inputSchema": [
              "type": "object", "properties": ["a": ["$ref": .string("\(exchange.origin)/schema.json")]],
            ],
          ], ClientScenario.addNumbers,
        ])
      default:
        guard exchange.request.method == .post else { return HTTPResponse(status: 405) }
        return exchange.failure(-32601, status: 400)
      }
    },
    judge: { sent, error, verdicts in
      verdicts.check(
        "sep-2106-no-network-ref-deref",
        error == nil && !sent.of("tools/list").isEmpty && sent.allSatisfy { !$0.request.url.contains("schema.json") },
        "\(String(describing: error))")
    })

  private static let preservation = ClientScenario(
    answer: { exchange in
      switch exchange.message?.method {
      case "tools/list":
        return exchange.tools([
          ["name": "json_schema_2020_12_tool", "description": "x", "inputSchema": FixtureSchemas.full],
          ClientScenario.tool("json_schema_echo", ["schema": ["type": "object"]], required: ["schema"]),
        ])
      case "tools/call": return exchange.text("ok")
      default: return HTTPResponse(status: 405)
      }
    },
    judge: { sent, error, verdicts in
      let schema = sent.calls("json_schema_echo").first?.arguments["schema"]
      verdicts.check("json-schema-2020-12-client-tool-found", schema != nil, "\(String(describing: error))")
      verdicts.check("json-schema-2020-12-client-echo-completed", error == nil && schema == FixtureSchemas.full)
      let parts: [(String, [String])] = [
        ("json-schema-2020-12-client-$schema-preserved", ["$schema"]),
        ("json-schema-2020-12-client-$defs-preserved", ["$defs"]),
        ("json-schema-2020-12-client-additionalProperties-preserved", ["additionalProperties"]),
        ("sep-2106-client-composition-keywords-preserved", ["allOf"]),
        ("sep-2106-client-conditional-keywords-preserved", ["if", "then", "else"]),
      ]
      for (id, keys) in parts {
        verdicts.check(id, keys.allSatisfy { schema?[$0] != nil && schema?[$0] == FixtureSchemas.full[$0] })
      }
      verdicts.check(
        "sep-2106-client-anchor-keyword-preserved", schema?["$defs"]?["address"]?["$anchor"] == "addressDef")
    })
}
