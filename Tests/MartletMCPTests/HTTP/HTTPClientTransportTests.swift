import MartletHTTP
import MartletJSON
import MartletSync
import Testing

@testable import MartletMCP

@Suite struct HTTPClientTransportTests {
  private static let text: JSONObject = ["content": [["type": "text", "text": "ok"]]]

  private func with(
    _ http: ScriptedHTTP, revisions: MCPClient.Revisions = .automatic, options: HTTPClientTransport.Options? = nil,
    _ body: (MCPClient) async throws -> Void
  ) async throws {
    let options =
      options ?? HTTPClientTransport.Options(resumptionDelay: .milliseconds(1), longestDelay: .milliseconds(5))
    let client = MCPClient(
      HTTPClientTransport("http://localhost/mcp", over: http, options: options),
      configuration: .init(revisions: revisions, timeouts: .patient))
    do {
      try await body(client)
      await client.close()
    } catch {
      await client.close()
      throw error
    }
  }

  private func event(_ message: MCPMessage, id: String? = nil) -> String {
    String(decoding: EventText.event(message, id: id), as: UTF8.self)
  }

  @Test func `each request says in headers what it says in its body`() async throws {
    let http = ScriptedHTTP { _, message, _ in
      if let response = ScriptedHTTP.introduce(message, .july2026) { return response }
      if message?.method == "tools/list" { return ScriptedHTTP.json(ScriptedHTTP.result(message, ["tools": []])) }
      return ScriptedHTTP.json(ScriptedHTTP.result(message, Self.text))
    }
    try await with(http) { client async throws in
      _ = try await client.call("größe")
      _ = try await client.request("resources/read", ["uri": "a:b"])
      for request in http.requests where request.method == .post {
        let message = ScriptedHTTP.message(request)
        #expect(request.headers["mcp-protocol-version"] == "2026-07-28")
        #expect(
          message?.params?["_meta"]?["io.modelcontextprotocol/protocolVersion"] == "2026-07-28")
        #expect(request.headers["mcp-method"] == message?.method)
        #expect(request.headers["accept"] == "application/json, text/event-stream")
        #expect(request.headers["mcp-session-id"] == nil)
      }
      #expect(http.requests("tools/call").first?.headers["mcp-name"] == "=?base64?Z3LDtsOfZQ==?=")
      #expect(http.requests("resources/read").first?.headers["mcp-name"] == "a:b")
    }
    #expect(!http.requests.contains { $0.method == .get || $0.method == .delete })
  }

  @Test func `a legacy server is found by its no to the probe, and kept in a session`() async throws {
    let http = ScriptedHTTP { request, message, _ in
      if request.method != .post { return HTTPResponse(status: 405) }
      if let response = ScriptedHTTP.introduce(message, .november2025) { return response }
      return ScriptedHTTP.json(ScriptedHTTP.result(message, Self.text))
    }
    try await with(http) { client async throws in
      #expect(try await client.connect().revision == .november2025)
      #expect(try await client.call("t").text == "ok")
    }
    let initialize = try #require(http.requests("initialize").first)
    #expect(initialize.headers["mcp-protocol-version"] == nil)
    let call = try #require(http.requests("tools/call").first)
    #expect(call.headers["mcp-protocol-version"] == "2025-11-25")
    #expect(call.headers["mcp-session-id"] == "s1")
    #expect(call.headers["mcp-method"] == nil)
    #expect(http.requests.last?.method == .delete)
    #expect(http.requests.contains { $0.method == .get })
  }

  @Test func `an unsupported revision is answered with one that both have`() async throws {
    let http = ScriptedHTTP { _, message, count in
      if count == 1 {
        let error = MCPErrorObject(
          .unsupportedRevision, "no", data: ["supported": ["2025-06-18"], "requested": "2026-07-28"])
        return ScriptedHTTP.json(.failure(message?.id, error), status: 400)
      }
      return ScriptedHTTP.introduce(message, .june2025) ?? HTTPResponse(status: 405)
    }
    try await with(http) { client async throws in
      #expect(try await client.connect().revision == .june2025)
    }
  }

  @Test func `events come whole however they are cut, with comments and any line ends`() async throws {
    let http = ScriptedHTTP { _, message, _ in
      if let response = ScriptedHTTP.introduce(message, .july2026) { return response }
      if message?.method == "tools/list" { return ScriptedHTTP.json(ScriptedHTTP.result(message, ["tools": []])) }
      let progress = MCPMessage.notification(
        method: "notifications/progress", params: ["progressToken": message?.id?.json ?? .null, "progress": 1])
      let text =
        ": comment\r\n\r\n" + event(progress).replacing("\n", with: "\r\n") + "event: ping\ndata: {}\n\n"
        + event(ScriptedHTTP.result(message, ["content": [["type": "text", "text": "é日本"]]]))
      let response = HTTPBody(chunks: Array(text.utf8).map { [$0] })
      return HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"], body: response)
    }
    try await with(http) { client async throws in
      let steps = Locked(0)
      let result = try await client.call("t", options: .init(onProgress: { _ in steps.withLock { $0 += 1 } }))
      #expect(result.text == "é日本")
      #expect(steps.withLock { $0 } == 1)
    }
  }

  @Test func `a stream that breaks off is taken up again at its own place`() async throws {
    let http = ScriptedHTTP { [self] request, message, _ in
      if let response = ScriptedHTTP.introduce(message, .november2025) { return response }
      if request.method == .get {
        guard request.headers["last-event-id"] == "7" else { return HTTPResponse(status: 405) }
        return ScriptedHTTP.events([event(.result(2, Self.text), id: "8")])
      }
      if request.method == .delete { return HTTPResponse(status: 405) }
      return ScriptedHTTP.events(["id: 7\nretry: 2\ndata:\n\n"])
    }
    try await with(http, revisions: .legacy()) { client async throws in
      #expect(try await client.call("t").text == "ok")
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a stream that breaks off and cannot be taken up fails its call`(_ revision: MCPRevision) async throws {
    let http = ScriptedHTTP { request, message, _ in
      if let response = ScriptedHTTP.introduce(message, revision) { return response }
      if request.method != .post { return HTTPResponse(status: 405) }
      if message?.method == "tools/list" { return ScriptedHTTP.json(ScriptedHTTP.result(message, ["tools": []])) }
      return ScriptedHTTP.events([revision == .july2026 ? "id: 7\ndata:\n\n" : ": nothing\n\n"])
    }
    try await with(http, revisions: revision.era == .modern ? .modern : .legacy()) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.call("t") }
      #expect(error?.code == .connectionClosed)
      // Only that call.
      #expect(try await client.tools().isEmpty)
    }
  }

  @Test(arguments: [200, 202, 204]) func `a notification may be answered with any success`(_ status: Int) async throws {
    let http = ScriptedHTTP { request, message, _ in
      if message?.method == "notifications/initialized" { return HTTPResponse(status: status) }
      return ScriptedHTTP.introduce(message, .november2025)
        ?? (request.method == .post
          ? ScriptedHTTP.json(ScriptedHTTP.result(message, Self.text)) : HTTPResponse(status: 404))
    }
    try await with(http, revisions: .legacy()) { client async throws in
      #expect(try await client.call("t").text == "ok")
    }
  }

  @Test func `an answer of another type says so`() async throws {
    let http = ScriptedHTTP { _, message, _ in
      ScriptedHTTP.introduce(message, .july2026)
        ?? HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: HTTPBody(Array("<html>".utf8)))
    }
    try await with(http) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.request("tools/list") }
      #expect(error?.code == .invalidResponse)
      #expect(error?.message.contains("text/html") == true)
    }
  }

  @Test func `an ended session is begun anew once, also when the server says it in words`() async throws {
    let initialized = Locked(0)
    let http = ScriptedHTTP { request, message, _ in
      if request.method == .get { return HTTPResponse(status: 405) }
      if message?.method == "initialize" { initialized.withLock { $0 += 1 } }
      if let response = ScriptedHTTP.introduce(message, .november2025) { return response }
      if initialized.withLock({ $0 }) == 1 {
        return HTTPResponse(status: 404, body: HTTPBody(Array("Session not found".utf8)))
      }
      return ScriptedHTTP.json(ScriptedHTTP.result(message, Self.text))
    }
    try await with(http, revisions: .legacy()) { client async throws in
      #expect(try await client.call("t").text == "ok")
      #expect(initialized.withLock { $0 } == 2)
    }
    #expect(http.requests("initialize").allSatisfy { $0.headers["mcp-session-id"] == nil })
  }

  @Test func `a server that always ends its sessions is not asked for ever`() async throws {
    let http = ScriptedHTTP { _, message, _ in
      ScriptedHTTP.introduce(message, .november2025) ?? HTTPResponse(status: 404)
    }
    try await with(http, revisions: .legacy()) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.call("t") }
      #expect(error?.code == .sessionExpired)
      #expect(http.requests("initialize").count == 2)
    }
  }

  @Test func `a server of the first revision is found by its stream`() async throws {
    let stream = StreamBody(keepAlive: .seconds(60), clock: PeerClock(ContinuousClock()))
    let input = stream.input
    let body = HTTPBody(stream)
    let http = ScriptedHTTP { request, message, _ in
      if request.method == .get {
        try await input.put(Array("event: endpoint\ndata: /messages?session=1\n\n".utf8))
        return HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"], url: "http://localhost/mcp", body: body)
      }
      guard request.url == "http://localhost/messages?session=1" else { return HTTPResponse(status: 405) }
      if case .request(let id, let method, let params) = message {
        let result = try FakeServer.introduce(method, params ?? [:], .november2024, ["tools": [:]]) ?? Self.text
        try await input.put(EventText.event(.result(id, result)))
      }
      return HTTPResponse(status: 202)
    }
    try await with(http) { client async throws in
      #expect(try await client.connect().revision == .november2024)
      #expect(try await client.call("t").text == "ok")
    }
  }

  @Test func `a first-revision server may not send messages elsewhere`() async throws {
    let http = ScriptedHTTP { request, _, _ in
      if request.method != .get { return HTTPResponse(status: 405) }
      return ScriptedHTTP.events(["event: endpoint\ndata: http://elsewhere.example/steal\n\n"])
    }
    try await with(http) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.connect() }
      #expect(error?.code == .invalidResponse)
    }
  }

  @Test func `credentials are got once more when the server wants others`() async throws {
    final class Keys: RequestAuthorizer {
      let key = Locked("old")
      func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        request.headers["Authorization"] = "Bearer \(key.withLock { $0 })"
        return request
      }
      func recover(
        _ request: HTTPRequest, from response: HTTPResponse, attempts: AuthorizationAttempts
      ) async throws -> AuthorizationAttempts? {
        key.withLock { key in
          guard key == "old" else { return nil }
          key = "new"
          return AuthorizationAttempts()
        }
      }
    }
    let http = ScriptedHTTP { request, message, _ in
      if request.headers["authorization"] != "Bearer new" { return HTTPResponse(status: 401) }
      return ScriptedHTTP.introduce(message, .july2026) ?? HTTPResponse(status: 403)
    }
    try await with(http, options: .init(authorizer: Keys())) { client async throws in
      try await client.connect()
      let error = await #expect(throws: MCPError.self) { try await client.request("tools/list") }
      #expect(error?.code == .unauthorized)
      #expect(error?.status == 403)
    }
  }

  @Test func `without credentials a wanted login is not taken for an old server`() async throws {
    let http = ScriptedHTTP { _, _, _ in HTTPResponse(status: 401) }
    try await with(http) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.connect() }
      #expect(error?.code == .unauthorized)
      #expect(http.requests.count == 1)
    }
  }

  @Test func `tools that mark headers wrongly are left out`() async throws {
    let http = ScriptedHTTP { _, message, _ in
      if let response = ScriptedHTTP.introduce(message, .july2026) { return response }
      let bad: JSONValue = ["type": "object", "properties": ["a": ["type": "number", "x-mcp-header": "A"]]]
      return ScriptedHTTP.json(
        ScriptedHTTP.result(
          message,
          ["tools": [["name": "bad", "inputSchema": bad], ["name": "valid", "inputSchema": ["type": "object"]]]]))
    }
    try await with(http) { client async throws in
      let list = try await client.toolList()
      #expect(list.items.map(\.name) == ["valid"])
      #expect(list.problems.count == 1)
    }
  }
}
