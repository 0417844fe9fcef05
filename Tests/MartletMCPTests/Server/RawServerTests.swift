import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

/// What a server says to messages that no decent client would send.
@Suite struct RawServerTests {
  /// One end of a connection to a server.
  private struct Line: Sendable {
    let transport: InProcessTransport

    func ask(_ method: String, _ params: JSONObject?, id: MCPRequestID = 1) async throws -> MCPMessage {
      try await transport.send(.request(id, method: method, params: params), MCPSendContext())
      return try await next()
    }

    func next() async throws -> MCPMessage {
      guard case .message(let message) = try await transport.receive() else { throw MCPError(.invalidResponse, "odd") }
      return message
    }
  }

  private func with(_ server: MCPServer, _ body: (Line) async throws -> Void) async throws {
    let (near, far) = InProcessTransport.pair()
    async let serving: Void = server.serve(far)
    do {
      try await body(Line(transport: near))
      await near.close()
      _ = try await serving
    } catch {
      await near.close()
      throw error
    }
    await server.close()
  }

  static let meta: JSONObject = [
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
  ]

  private func server() -> MCPServer {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    server.register(MCPTool(name: "rounds")) { _, context in
      var names: [String] = []
      for step in 1...3 {
        let answer = try await context.elicit(
          MCPElicitationRequest(message: "Step \(step)?", schema: ["type": "object"]), as: "step\(step)")
        names.append(answer.content["name"]?.stringValue ?? "")
        context.keep(["seen": .array(names.map { .string($0) })])
      }
      return "\(names.joined(separator: " ")) \(context.state?.text() ?? "")"
    }
    return server
  }

  @Test(arguments: [("2024-11-05", false), ("2025-03-26", false), ("2025-06-18", true), ("2025-11-25", true)])
  func `a client is not asked in a way that its revision has no word for`(_ revision: String, _ isAsked: Bool)
    async throws
  {
    try await with(server()) { line async throws in
      let capabilities: JSONValue = ["elicitation": ["form": [:], "url": [:]], "sampling": ["tools": [:]]]
      _ = try await line.ask(
        "initialize",
        [
          "protocolVersion": .string(revision), "capabilities": capabilities,
          "clientInfo": ["name": "c", "version": "1"],
        ])
      let next = try await line.ask("tools/call", ["name": "rounds"], id: 2)
      #expect((next.method == "elicitation/create") == isAsked, "\(next)")
      if !isAsked { #expect(error(next)?.code == .invalidRequest) }
    }
  }

  private func error(_ message: MCPMessage) -> MCPErrorObject? {
    if case .failure(_, let error) = message { error } else { nil }
  }

  private func result(_ message: MCPMessage) -> JSONObject {
    if case .result(_, let result) = message { result } else { [:] }
  }

  @Test func `nothing is served before the handshake but what describes itself`() async throws {
    try await with(server()) { line async throws in
      #expect(error(try await line.ask("tools/list", nil))?.code == .invalidRequest)
      #expect(result(try await line.ask("ping", nil)).isEmpty)
      let list = result(try await line.ask("tools/list", ["_meta": .object(Self.meta)]))
      #expect(list["resultType"] == "complete")
      #expect(list["ttlMs"] == 0)
      #expect(list["cacheScope"] == "private")
      #expect(list["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "test")
    }
  }

  @Test func `an unknown revision is answered with the server's own`() async throws {
    try await with(server()) { line async throws in
      let params: JSONObject = ["protocolVersion": "1999-01-01", "capabilities": [:], "clientInfo": [:]]
      #expect(result(try await line.ask("initialize", params))["protocolVersion"] == "2025-11-25")
      var meta = Self.meta
      meta["io.modelcontextprotocol/protocolVersion"] = "2031-01-01"
      let refusal = error(try await line.ask("tools/list", ["_meta": .object(meta)]))
      #expect(refusal?.code == .unsupportedRevision)
      #expect(refusal?.data == ["supported": ["2026-07-28"], "requested": "2031-01-01"])
    }
  }

  @Test(arguments: [
    "io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/protocolVersion",
  ]) func `a description that lacks something is refused`(_ key: String) async throws {
    try await with(server()) { line async throws in
      var meta = Self.meta
      meta[key] = nil
      #expect(error(try await line.ask("server/discover", ["_meta": .object(meta)]))?.code == .invalidParams)
      #expect(error(try await line.ask("server/discover", nil))?.code == .invalidParams)
    }
  }

  @Test(arguments: [
    "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/result",
    "tasks/list", "no/such/method",
  ]) func `what a later revision no longer has is not there`(_ method: String) async throws {
    try await with(server()) { line async throws in
      #expect(error(try await line.ask(method, ["_meta": .object(Self.meta)]))?.code == .methodNotFound)
    }
  }

  @Test func `a bad level is refused, and so is a bad level of a request`() async throws {
    try await with(server()) { line async throws in
      _ = try await line.ask("initialize", ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": [:]])
      #expect(error(try await line.ask("logging/setLevel", ["level": "loud"]))?.code == .invalidParams)
      #expect(result(try await line.ask("logging/setLevel", ["level": "error"])).isEmpty)
      var meta = Self.meta
      meta["io.modelcontextprotocol/logLevel"] = "loud"
      #expect(error(try await line.ask("tools/list", ["_meta": .object(meta)]))?.code == .invalidParams)
    }
  }

  // MARK: Rounds

  private func call(_ line: Line, _ more: JSONObject = [:], capabilities: JSONValue = ["elicitation": [:]]) async throws
    -> MCPMessage
  {
    var meta = Self.meta
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities
    var params: JSONObject = ["name": "rounds", "arguments": [:], "_meta": .object(meta)]
    params.merge(more)
    return try await line.ask("tools/call", params)
  }

  private func answer(_ name: String) -> JSONValue { ["action": "accept", "content": ["name": .string(name)]] }

  @Test func `a request takes as many rounds as it needs, and nothing is asked twice`() async throws {
    try await with(server()) { line async throws in
      var result = result(try await call(line))
      #expect(result["resultType"] == "input_required")
      #expect(result["inputRequests"]?["step1"]?["method"] == "elicitation/create")
      for step in 1...2 {
        let more = JSONObject(present: [
          "inputResponses": ["step\(step)": answer("n\(step)"), "extra": 5], "requestState": result["requestState"],
        ])
        result = self.result(try await call(line, more))
        #expect(result["inputRequests"]?.objectValue.map { Array($0.keys) } == ["step\(step + 1)"])
      }
      let more = JSONObject(present: [
        "inputResponses": ["step3": answer("n3")], "requestState": result["requestState"],
      ])
      result = self.result(try await call(line, more))
      #expect(result["resultType"] == "complete")
      #expect(result["content"]?[0]?["text"] == #"n1 n2 n3 {"seen":["n1","n2"]}"#)
    }
  }

  @Test(
    arguments: [[:], ["step1": 5], ["step1": nil], ["step1": ["x": 1]], ["other": ["action": "accept"]]] as [JSONObject]
  )
  func `an answer that is missing or is none is asked for again`(_ responses: JSONObject) async throws {
    try await with(server()) { line async throws in
      let result = result(try await call(line, ["inputResponses": .object(responses)]))
      #expect(result["resultType"] == "input_required")
      #expect(result["inputRequests"]?["step1"] != nil)
    }
  }

  @Test func `a state that was changed, or belongs to another request, is refused`() async throws {
    try await with(server()) { line async throws in
      let first = result(try await call(line, ["inputResponses": ["step1": answer("a")]]))
      let state = try #require(first["requestState"]?.stringValue)
      var changed = Array(state)
      changed[5] = changed[5] == "A" ? "B" : "A"
      let bad: [JSONValue] = [
        .string(String(changed)), .string(state + "0"), .string(String(state.dropLast())), "", "x.y", 5,
      ]
      for state in bad {
        #expect(error(try await call(line, ["requestState": state]))?.code == .invalidParams)
      }
      let other: JSONObject = ["requestState": .string(state), "arguments": ["other": 1]]
      #expect(error(try await call(line, other))?.code == .invalidParams)
      #expect(result(try await call(line, ["requestState": .string(state)]))["inputRequests"]?["step2"] != nil)
    }
  }

  @Test func `a state is good for its time, its key and its caller`() {
    let (state, request) = (RequestState(key: [1], lifetime: .seconds(10)), RequestState.digest("m", ["a": 1], "ada"))
    let sealed = state.sealed(["x": 1], for: request, now: 100)
    #expect(state.opened(sealed, for: request, now: 109) == ["x": 1])
    #expect(state.opened(sealed, for: request, now: 110) == nil)
    #expect(RequestState(key: [2], lifetime: .seconds(10)).opened(sealed, for: request, now: 100) == nil)
    #expect(state.opened(sealed, for: RequestState.digest("m", ["a": 1], "bob"), now: 100) == nil)
    #expect(
      RequestState.digest("m", ["a": 1, "inputResponses": [:], "_meta": [:], "requestState": ""], "ada") == request)
  }

  @Test(arguments: 0..<10) func `mutated requests are answered and never end the server`(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    var requests: [JSONObject] = []
    for _ in 0..<100 {
      var meta = Self.meta
      for key in Array(meta.keys) where generator.chance(0.2) {
        meta[key] = generator.pick([.null, 5, "x", [:], [], true] as [JSONValue])
      }
      var params: JSONObject = ["name": "rounds", "arguments": [:], "cursor": "2", "uri": "a", "taskId": "x"]
      for key in Array(params.keys) where generator.chance(0.4) {
        params[key] = generator.pick([.null, 5, "", [:], [1], false] as [JSONValue])
      }
      params["_meta"] = generator.chance(0.9) ? .object(meta) : generator.pick([5, nil, []])
      requests.append(["m": .string(generator.pick(Self.methods)), "p": .object(params)])
    }
    let all = requests
    try await with(server()) { line async throws in
      for (index, request) in all.enumerated() {
        let id = MCPRequestID.integer(Int64(index))
        let method = request["m"]?.stringValue ?? ""
        let answer = try await line.ask(method, request["p"]?.objectValue, id: id)
        #expect(answer.id == id, "seed \(seed), \(method)")
      }
    }
  }

  private static let methods = [
    "server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/list", "prompts/get",
    "completion/complete", "initialize", "ping", "tasks/get", "tasks/cancel", "logging/setLevel", "x",
  ]

  // MARK: Ends

  @Test func `a call that is cancelled while it becomes a task leaves no task behind`() async throws {
    let server = server()
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
    var meta = Self.meta
    meta["io.modelcontextprotocol/clientCapabilities"] = ["extensions": ["io.modelcontextprotocol/tasks": [:]]]
    let params: JSONObject = ["name": "slow", "_meta": .object(meta)]
    try await with(server) { line async throws in
      try await line.transport.send(.request(1, method: "tools/call", params: params), MCPSendContext())
      await began.wait()
      try await line.transport.send(
        .notification(method: "notifications/cancelled", params: ["requestId": 1]), MCPSendContext())
      // Once this is answered, the notification has been read.
      _ = try await line.ask("ping", nil, id: 2)
      goes.open()
      await ended.wait()
    }
  }

  @Test(arguments: [true, false])
  func `a stream of changes ends with a result, whether the server closes or is no longer served`(
    _ closes: Bool
  ) async throws {
    let (server, (near, far)) = (server(), InProcessTransport.pair())
    let serving = Task { try await server.serve(far) }
    let line = Line(transport: near)
    let params: JSONObject = ["notifications": ["toolsListChanged": true], "_meta": .object(Self.meta)]
    let acknowledged = try await line.ask("subscriptions/listen", params, id: "l")
    #expect(acknowledged.method == "notifications/subscriptions/acknowledged")
    if closes { await server.close() } else { serving.cancel() }
    guard case .result("l", let result) = try await line.next() else {
      Issue.record("no result")
      return
    }
    #expect(result["resultType"] == "complete")
    #expect(result["_meta"]?["io.modelcontextprotocol/subscriptionId"] == "l")
    await near.close()
    _ = await serving.result
    await server.close()
  }
}
