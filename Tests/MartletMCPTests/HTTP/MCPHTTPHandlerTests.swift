import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct MCPHTTPHandlerTests {
  private func handler(_ configuration: MCPHTTPHandler.Configuration = .init()) -> MCPHTTPHandler {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    server.register(
      MCPTool(
        name: "marked",
        inputSchema: ["type": "object", "properties": ["text": ["type": "string", "x-mcp-header": "Text"]]])
    ) { _, _ in "ok" }
    server.register(MCPTool(name: "needs")) { _, context in
      "\(try await context.sample(MCPSamplingRequest([], maxTokens: 1)).text)"
    }
    return MCPHTTPHandler(server, configuration: configuration)
  }

  private static let headers: HTTPHeaders = [
    "Host": "localhost:8080", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
  ]

  private func post(
    _ handler: MCPHTTPHandler, _ message: MCPMessage, _ headers: HTTPHeaders = [:], isModern: Bool = true
  ) async -> HTTPResponse {
    var all = Self.headers
    if isModern {
      all["MCP-Protocol-Version"] = "2026-07-28"
      all["Mcp-Method"] = message.method
      if let name = message.routedName { all["Mcp-Name"] = name }
    }
    for field in headers { all[field.name] = field.value.isEmpty ? nil : field.value }
    return await handler.respond(to: .post, headers: all, body: HTTPBody(message.bytes))
  }

  private func message(_ response: HTTPResponse) async throws -> MCPMessage {
    let incoming = MCPIncoming(decoding: try await response.body.bytes(limit: 1 << 20))
    guard case .message(let message) = incoming else { throw MCPError(.invalidResponse, "\(incoming)") }
    return message
  }

  private func code(_ response: HTTPResponse) async throws -> MCPErrorCode? {
    if case .failure(_, let error) = try await message(response) { error.code } else { nil }
  }

  private func call(_ arguments: JSONObject = [:], name: String = "marked", id: MCPRequestID = 1) -> MCPMessage {
    .request(
      id, method: "tools/call",
      params: ["name": .string(name), "arguments": .object(arguments), "_meta": .object(RawServerTests.meta)])
  }

  @Test(
    arguments: [
      ("evil.example", nil), ("localhost.evil.example", nil), ("", nil), ("localhost", "https://evil.example"),
      ("localhost", "null"), ("localhost", "http://localhost.evil.example"),
    ] as [(String, String?)])
  func `pages of other places are kept out`(_ host: String, _ origin: String?) async throws {
    var headers: HTTPHeaders = ["Host": host]
    headers["Origin"] = origin
    let response = await post(handler(), call(), headers)
    #expect(response.status == 403)
  }

  @Test(
    arguments: [
      ("localhost:8080", nil), ("127.0.0.1", nil), ("[::1]:80", nil), ("LOCALHOST", "http://localhost:3000"),
      ("localhost", "https://app.example"),
    ] as [(String, String?)])
  func `pages of this place are let in`(_ host: String, _ origin: String?) async throws {
    var headers: HTTPHeaders = ["Host": host]
    headers["Origin"] = origin
    let response = await post(handler(.init(origins: ["https://app.example"])), call(), headers)
    #expect(response.status == 200)
  }

  @Test func `a request that describes itself badly is a bad request`() async throws {
    let handler = handler()
    for key in [nil, "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"]
      as [String?]
    {
      var meta: JSONObject? = RawServerTests.meta
      if let key { meta?[key] = nil } else { meta = nil }
      let params = meta.map { JSONObject([(key: "_meta", value: JSONValue.object($0))]) } ?? [:]
      let response = await post(handler, .request(9, method: "tools/list", params: params))
      #expect(response.status == 400)
      let answer = try await message(response)
      #expect(answer.id == 9)
      guard case .failure(_, let error) = answer else { continue }
      #expect(error.code == .invalidParams)
    }
    var meta = RawServerTests.meta
    meta["io.modelcontextprotocol/protocolVersion"] = "2031-01-01"
    let request = MCPMessage.request(1, method: "tools/list", params: ["_meta": .object(meta)])
    let unsupported = await post(handler, request, ["MCP-Protocol-Version": "2031-01-01"])
    #expect(unsupported.status == 400)
    #expect(try await code(unsupported) == .unsupportedRevision)
  }

  @Test(
    arguments: [
      ["Mcp-Method": "tools/list"], ["Mcp-Method": ""], ["Mcp-Method": "Tools/Call"], ["Mcp-Name": "other"],
      ["Mcp-Name": ""], ["Mcp-Name": "Marked"], ["MCP-Protocol-Version": "2025-11-25"], ["Mcp-Param-Text": "b"],
      ["Mcp-Param-Text": ""], ["Mcp-Param-Text": "=?base64?!!?="],
    ] as [HTTPHeaders])
  func `a header that does not say what the body says is refused`(_ headers: HTTPHeaders) async throws {
    var all: HTTPHeaders = ["Mcp-Param-Text": "a"]
    for field in headers { all[field.name] = field.value }
    let response = await post(handler(), call(["text": "a"]), all)
    #expect(response.status == 400)
    #expect(try await code(response) == .headerMismatch)
  }

  @Test(
    arguments: [
      ["mcp-param-text": "a", "MCP-METHOD": "  tools/call  "], ["Mcp-Param-Text": "=?base64?YQ==?="],
    ] as [HTTPHeaders])
  func `headers are read as HTTP reads them`(_ headers: HTTPHeaders) async throws {
    let response = await post(handler(), call(["text": "a"]), headers)
    #expect(response.status == 200)
  }

  @Test(arguments: ["initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"])
  func `a method that is not there is not found`(_ method: String) async throws {
    let response = await post(
      handler(), .request(1, method: method, params: ["_meta": .object(RawServerTests.meta)]))
    #expect(response.status == 404)
    #expect(try await code(response) == .methodNotFound)
  }

  @Test func `a capability that the client lacks is a bad request`() async throws {
    let response = await post(handler(), call(name: "needs"))
    #expect(response.status == 400)
    #expect(try await code(response) == .missingClientCapability)
  }

  @Test func `where requests describe themselves there is only POST`() async throws {
    var headers = Self.headers
    headers["MCP-Protocol-Version"] = "2026-07-28"
    for method in [HTTPRequest.Method.get, .delete, .put] {
      #expect(await handler().respond(to: method, headers: headers, body: HTTPBody([])).status == 405)
    }
  }

  @Test func `bodies that are too large, of another type or no messages are refused`() async throws {
    let handler = handler(.init(bodyLimit: 100))
    #expect(await post(handler, call(["text": .string(String(repeating: "x", count: 100))])).status == 413)
    #expect(await post(handler, call(), ["Content-Type": "text/plain"]).status == 415)
    for text in ["", "{", "[]", "5", #"{"jsonrpc":"2.0"}"#] {
      let response = await handler.respond(to: .post, headers: Self.headers, body: HTTPBody(Array(text.utf8)))
      #expect(response.status == 400)
    }
  }

  @Test func `a session begins, is used, and ends`() async throws {
    let handler = handler()
    let params: JSONObject = ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": [:]]
    let begun = await post(handler, .request(0, method: "initialize", params: params), isModern: false)
    let id = try #require(begun.headers["mcp-session-id"])
    #expect(id.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    let session: HTTPHeaders = ["Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25"]
    let initialized = MCPMessage.notification(method: "notifications/initialized", params: nil)
    #expect(await post(handler, initialized, session, isModern: false).status == 202)
    let ping = MCPMessage.request(1, method: "ping", params: nil)
    #expect(try await message(await post(handler, ping, session, isModern: false)) == .result(1, [:]))
    #expect(await post(handler, ping, isModern: false).status == 400)
    #expect(await post(handler, ping, ["Mcp-Session-Id": "other"], isModern: false).status == 404)
    let version: HTTPHeaders = ["Mcp-Session-Id": id, "MCP-Protocol-Version": "1999-01-01"]
    #expect(await post(handler, ping, version, isModern: false).status == 400)
    var headers = Self.headers
    headers["Mcp-Session-Id"] = id
    #expect(await handler.respond(to: .delete, headers: headers, body: HTTPBody([])).status == 200)
    #expect(await post(handler, ping, session, isModern: false).status == 404)
    await handler.close()
  }

  @Test func `arrays of messages are taken in the one revision that has them`() async throws {
    let handler = handler()
    for (revision, status) in [("2025-03-26", 200), ("2025-06-18", 400)] {
      let params: JSONObject = ["protocolVersion": .string(revision), "capabilities": [:], "clientInfo": [:]]
      let begun = await post(handler, .request(0, method: "initialize", params: params), isModern: false)
      var headers = Self.headers
      headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
      let batch: JSONValue = [
        MCPMessage.request(1, method: "ping", params: nil).json,
        MCPMessage.request(2, method: "ping", params: nil).json,
      ]
      let response = await handler.respond(to: .post, headers: headers, body: HTTPBody(batch.bytes()))
      #expect(response.status == status)
      guard status == 200 else { continue }
      var found: [MCPIncoming] = []
      var stream = ReplyStream(id: nil, limit: 1 << 20)
      for try await chunk in response.body { try stream.append(chunk) }
      found = stream.takeAll()
      #expect(Set(found) == [.message(.result(1, [:])), .message(.result(2, [:]))])
    }
    await handler.close()
  }

  @Test func `sessions are bounded, belong to their caller, and end when they are not used`() async throws {
    let handler = handler(
      .init(
        sessionLimit: 1,
        authorize: { headers in
          guard let name = headers["X-User"] else { throw MCPAccessDenied(challenge: "Bearer") }
          return MCPCaller(principal: name)
        }))
    let params: JSONObject = ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": [:]]
    let initialize = MCPMessage.request(0, method: "initialize", params: params)
    let nobody = await post(handler, initialize, isModern: false)
    #expect(nobody.status == 401)
    #expect(nobody.headers["www-authenticate"] == "Bearer")
    let begun = await post(handler, initialize, ["X-User": "ada"], isModern: false)
    let id = try #require(begun.headers["mcp-session-id"])
    let ping = MCPMessage.request(1, method: "ping", params: nil)
    #expect(await post(handler, ping, ["X-User": "ada", "Mcp-Session-Id": id], isModern: false).status == 200)
    #expect(await post(handler, ping, ["X-User": "bob", "Mcp-Session-Id": id], isModern: false).status == 404)
    #expect(await post(handler, initialize, ["X-User": "bob"], isModern: false).status == 503)
    await handler.close()
    #expect(await post(handler, ping, ["X-User": "ada", "Mcp-Session-Id": id], isModern: false).status == 503)
  }

  @Test func `a stream of changes ends with a result when the handler closes`() async throws {
    let handler = handler()
    let params: JSONObject = ["notifications": ["toolsListChanged": true], "_meta": .object(RawServerTests.meta)]
    let response = await post(handler, .request(7, method: "subscriptions/listen", params: params))
    #expect(response.status == 200)
    async let text = response.body.bytes(limit: 1 << 20)
    await handler.close()
    let events = String(decoding: try await text, as: UTF8.self)
    #expect(events.contains("notifications/subscriptions/acknowledged"))
    #expect(events.contains(#""resultType":"complete""#))
    #expect(handler.sessionCount == 0)
  }

  @Test func `a handler whose listener reads nothing closes all the same`() async throws {
    let handler = handler()
    let params: JSONObject = ["notifications": ["toolsListChanged": true], "_meta": .object(RawServerTests.meta)]
    let response = await post(handler, .request(7, method: "subscriptions/listen", params: params))
    await handler.close()
    #expect(response.status == 200)
  }

  @Test func `a call whose client goes away while it becomes a task leaves no task behind`() async throws {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    let (began, goes, ended) = (Gate(), Gate(), Gate())
    server.register(MCPTool(name: "slow")) { _, context in
      began.open()
      await goes.wait()
      return try await context.detach { _ in
        defer { ended.open() }
        try await Gate().waitUnlessCancelled()
        return "done"
      }
    }
    let handler = MCPHTTPHandler(server)
    var meta = RawServerTests.meta
    meta["io.modelcontextprotocol/clientCapabilities"] = ["extensions": ["io.modelcontextprotocol/tasks": [:]]]
    let call = MCPMessage.request(1, method: "tools/call", params: ["name": "slow", "_meta": .object(meta)])
    let request = Task { await post(handler, call) }
    await began.wait()
    request.cancel()
    _ = await request.value
    goes.open()
    await ended.wait()
    await handler.close()
    await server.close()
  }

  @Test func `a cancelled request ends its response without a message, and leaves nothing in its session`() async throws
  {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    let began = ["hold": Gate(), "talk": Gate()]
    server.register(MCPTool(name: "hold")) { _, _ in
      began["hold"]?.open()
      try await Gate().waitUnlessCancelled()
      return "too late"
    }
    server.register(MCPTool(name: "talk")) { _, context in
      try await context.log(.info, "here I am")
      began["talk"]?.open()
      try await Gate().waitUnlessCancelled()
      return "too late"
    }
    let handler = MCPHTTPHandler(server)
    let params: JSONObject = ["protocolVersion": "2025-06-18", "capabilities": [:], "clientInfo": [:]]
    let begun = await post(handler, .request(0, method: "initialize", params: params), isModern: false)
    let session: HTTPHeaders = ["Mcp-Session-Id": try #require(begun.headers["mcp-session-id"])]
    for (name, gate) in began {
      let call = MCPMessage.request(7, method: "tools/call", params: ["name": .string(name)])
      async let response = post(handler, call, session, isModern: false)
      await gate.wait()
      let cancel = MCPMessage.notification(method: "notifications/cancelled", params: ["requestId": 7])
      #expect(await post(handler, cancel, session, isModern: false).status == 202)
      let ended = await response
      #expect(ended.status == 200 && ended.mediaType == "text/event-stream")
      #expect(!String(decoding: try await ended.body.bytes(limit: 1 << 16), as: UTF8.self).contains("result"))
    }
    // The id is free again.
    let ping = MCPMessage.request(7, method: "ping", params: nil)
    #expect(await post(handler, ping, session, isModern: false).status == 200)
    await handler.close()
    await server.close()
  }

  @Test func `a request that is open when its session ends is told so`() async throws {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    let began = Gate()
    server.register(MCPTool(name: "hold")) { _, _ in
      began.open()
      try await Gate().waitUnlessCancelled()
      return "too late"
    }
    let handler = MCPHTTPHandler(server)
    let params: JSONObject = ["protocolVersion": "2025-06-18", "capabilities": [:], "clientInfo": [:]]
    let begun = await post(handler, .request(0, method: "initialize", params: params), isModern: false)
    var headers = Self.headers
    headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
    let session = headers
    let call = MCPMessage.request(7, method: "tools/call", params: ["name": "hold"])
    async let response = handler.respond(to: .post, headers: session, body: HTTPBody(call.bytes))
    await began.wait()
    #expect(await handler.respond(to: .delete, headers: session, body: HTTPBody([])).status == 200)
    #expect(await response.status == 404)
    await handler.close()
    await server.close()
  }

  @Test func `thousands of sessions come and go`() async throws {
    let handler = handler()
    let params: JSONObject = ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": [:]]
    let initialize = MCPMessage.request(0, method: "initialize", params: params)
    var sessions: [String] = []
    for _ in 0..<2_000 {
      let begun = await post(handler, initialize, isModern: false)
      sessions.append(try #require(begun.headers["mcp-session-id"]))
    }
    #expect(Set(sessions).count == 2_000 && handler.sessionCount == 2_000)
    for id in sessions.prefix(1_000) {
      var headers = Self.headers
      headers["Mcp-Session-Id"] = id
      #expect(await handler.respond(to: .delete, headers: headers, body: HTTPBody([])).status == 200)
    }
    #expect(handler.sessionCount == 1_000)
    await handler.close()
    #expect(handler.sessionCount == 0)
  }
}
