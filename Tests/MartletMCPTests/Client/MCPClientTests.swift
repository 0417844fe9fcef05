import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct MCPClientTests {
  private static func tools(_ names: String..., cursor: String? = nil) -> JSONObject {
    var result: JSONObject = ["tools": .array(names.map { ["name": .string($0), "inputSchema": ["type": "object"]] })]
    if let cursor { result["nextCursor"] = .string(cursor) }
    return result
  }

  private static let text: JSONObject = ["content": [["type": "text", "text": "ok"]]]

  @Test(arguments: MCPRevision.allCases)
  func `a client agrees with a server of any revision and calls its tools`(_ revision: MCPRevision) async throws {
    try await FakeServer.with(revision) { _, _, method, params in
      switch method {
      case "tools/list": return Self.tools("a", "b")
      case "tools/call":
        #expect(params["name"] == "a")
        #expect(params["arguments"] == ["x": 1])
        return Self.text
      default: throw MCPErrorObject(.methodNotFound, method)
      }
    } _: { client, server async throws in
      let info = try await client.connect()
      #expect(info.revision == revision)
      #expect(info.implementation?.name == "fake")
      #expect(try await client.tools().map(\.name) == ["a", "b"])
      let result = try await client.call("a", ["x": 1])
      #expect(result.text == "ok")
      #expect(!result.isError)
      #expect(server.messages("notifications/initialized").count == (revision.era == .legacy ? 1 : 0))
      for message in server.messages where message.method?.hasPrefix("tools/") ?? false {
        let meta = message.params?["_meta"]
        #expect(meta?["progressToken"] != nil)
        #expect(
          meta?["io.modelcontextprotocol/protocolVersion"]?.stringValue
            == (revision.era == .modern ? revision.rawValue : nil))
      }
    }
  }

  @Test func `requests at the same time get their own answers, in whatever order they come`() async throws {
    let second = Gate()
    try await FakeServer.with { _, _, _, params in
      let name = params["name"]?.stringValue ?? ""
      if name == "first" { await second.wait() } else { second.open() }
      return ["content": [["type": "text", "text": .string(name)]]]
    } _: { client, _ async throws in
      async let first = client.call("first")
      async let other = client.call("second")
      #expect(try await (first.text, other.text) == ("first", "second"))
    }
  }

  @Test func `pages are read to the end, and an empty cursor is one`() async throws {
    try await FakeServer.with { _, _, _, params in
      switch params["cursor"] {
      case nil: Self.tools("a", cursor: "")
      case "": Self.tools("b", cursor: "c")
      default: Self.tools("c")
      }
    } _: { client, _ async throws in
      #expect(try await client.tools().map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func `a cursor that does not move ends the list with a note`() async throws {
    try await FakeServer.with { _, _, _, _ in
      Self.tools("a", cursor: "same")
    } _: { client, server async throws in
      let list = try await client.toolList()
      #expect(list.items.map(\.name) == ["a"])
      #expect(list.problems.contains { $0.reason.contains("same cursor") })
      #expect(server.messages("tools/list").count == 2)
    }
  }

  @Test func `a list of pages without an end is cut at a limit`() async throws {
    let pages = Locked(0)
    try await FakeServer.with(configuration: .init(pageLimit: 5)) { _, _, _, _ in
      let page = pages.withLock { pages in
        pages += 1
        return pages
      }
      return Self.tools("t\(page)", cursor: "\(page)")
    } _: { client, _ async throws in
      let list = try await client.toolList()
      #expect(list.items.count == 5)
      #expect(list.problems.count == 1)
    }
  }

  @Test func `one bad tool does not empty the list`() async throws {
    let bad: [JSONValue] = [
      3, ["inputSchema": [:]], ["name": 5],
      ["name": "dangling", "inputSchema": ["type": "object", "properties": ["a": ["$ref": "#/$defs/none"]]]],
      ["name": "network", "inputSchema": ["type": "object", "properties": ["a": ["$ref": "https://example.com/s"]]]],
      ["name": "loop", "inputSchema": ["type": "object", "$ref": "#"]],
      ["name": "list", "inputSchema": ["type": "array"]],
    ]
    let good: [JSONValue] = [
      ["name": "plain", "inputSchema": ["type": "object"]], ["name": "empty", "inputSchema": [:]],
      ["name": "null", "inputSchema": nil], ["name": "missing"],
      ["name": "tree", "inputSchema": ["type": "object", "properties": ["child": ["$ref": "#"]]]],
      ["name": "odd", "inputSchema": ["type": "object", "required": true], "annotations": 7, "icons": "x", "new": 1],
    ]
    try await FakeServer.with { _, _, _, _ in
      ["tools": .array(bad + good)]
    } _: { client, _ async throws in
      let list = try await client.toolList()
      #expect(list.items.map(\.name) == ["plain", "empty", "null", "missing", "tree", "odd"])
      #expect(list.problems.filter { $0.rejected != nil }.count == bad.count)
      #expect(list.items[2].inputSchema == ["type": "object"])
      #expect(list.items[5].fields["new"] == 1)
    }
  }

  @Test func `content of an unknown kind is kept beside the rest`() async throws {
    try await FakeServer.with { _, _, _, _ in
      ["content": [["type": "text", "text": "ok"], ["type": "hologram", "data": "?"], 3]]
    } _: { client, _ async throws in
      let content = try await client.call("t").content
      #expect(content.count == 2)
      #expect(content[0].value == .text("ok"))
      #expect(content[1].value == .other)
      #expect(content[1].fields["data"] == "?")
    }
  }

  @Test(
    arguments: [
      (["content": []], true), (["content": [], "structuredContent": ["n": "x"]], true),
      (["content": [], "structuredContent": ["n": 1]], false), (["content": [], "isError": true], false),
    ] as [(JSONObject, Bool)])
  func `structured content is checked against what the tool promised`(_ result: JSONObject, _ isFault: Bool)
    async throws
  {
    try await FakeServer.with { _, _, method, _ in
      if method == "tools/call" { return result }
      let output: JSONValue = ["type": "object", "properties": ["n": ["type": "integer"]], "required": ["n"]]
      return ["tools": [["name": "t", "inputSchema": ["type": "object"], "outputSchema": output]]]
    } _: { client, _ async throws in
      _ = try await client.tools()
      do {
        _ = try await client.call("t")
        #expect(!isFault)
      } catch let error as MCPError {
        #expect(isFault)
        #expect(error.code == .invalidOutput)
      }
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a silent server is given up after the timeout and told so`(_ revision: MCPRevision) async throws {
    let clock = ManualClock()
    try await FakeServer.with(revision, configuration: .init(clock: clock)) { _, _, method, _ in
      if method == "ping" || method == "tools/list" { return Self.tools() }
      return nil
    } _: { client, server async throws in
      try await client.connect()
      let result = Task { try await client.call("t", options: MCPRequestOptions(timeout: .seconds(5))) }
      // Not while it asks for the list of tools, nor between.
      while server.messages("tools/call").isEmpty { await Task.yield() }
      clock.advance(by: .seconds(5))
      let error = await #expect(throws: MCPError.self) { try await result.value }
      #expect(error?.code == .timedOut)
      // The session goes on.
      _ = try await client.tools()
      #expect(server.messages("notifications/cancelled").count == 1)
    }
  }

  @Test func `cancelling the task of a call tells the server, and a late answer is dropped`() async throws {
    let (arrived, cancelled) = (Gate(), Gate())
    let incidents = Locked<[MCPIncident]>([])
    try await FakeServer.with(
      configuration: .init(onIncident: { incident in incidents.withLock { $0.append(incident) } })
    ) { _, _, method, _ in
      if method == "tools/list" { return Self.tools() }
      await arrived.wait()
      return Self.text
    } _: { client, server async throws in
      let call = Task { try await client.call("t") }
      await arrived.arrived()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      arrived.open()
      _ = try await client.tools()
      while incidents.withLock({ $0.isEmpty }) || server.messages("notifications/cancelled").isEmpty {
        await Task.yield()
      }
      #expect(incidents.withLock { $0 } == [.lateReply(2)])
      #expect(server.messages("notifications/cancelled").first?.params?["requestId"] == 2)
      cancelled.open()
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a call that is cancelled just as the server makes a task of it ends that task`(
    _ revision: MCPRevision
  ) async throws {
    let (arrived, ended) = (Gate(), Gate())
    let task: JSONObject = ["taskId": "t-1", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttlMs": 1_000]
    try await FakeServer.with(
      revision, capabilities: ["tools": [:], "tasks": ["requests": ["tools": ["call": [:]]]]]
    ) { _, _, method, params in
      switch method {
      case "tools/list": return Self.tools("t")
      case "tasks/cancel":
        #expect(params["taskId"] == "t-1")
        ended.open()
        return [:]
      default:
        await arrived.wait()
        guard revision.facts.tasks == .extension else { return ["task": .object(task)] }
        var result = task
        result["resultType"] = "task"
        return result
      }
    } _: { client, server async throws in
      let call = Task { try await client.start("t", timeToLive: .seconds(1)) }
      await arrived.arrived()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      arrived.open()
      await ended.wait()
      #expect(server.messages("tasks/cancel").count == 1)
    }
  }

  @Test func `closing fails what is open and ends the notifications`() async throws {
    let arrived = Gate()
    try await FakeServer.with { _, _, _, _ in
      try await arrived.waitUnlessCancelled()
      return nil
    } _: { client, _ async throws in
      let notifications = client.notifications()
      let call = Task { try await client.call("t") }
      await arrived.arrived()
      await client.close()
      await #expect(throws: MCPError.self) { try await call.value }
      await #expect(throws: MCPError.self) { try await client.tools() }
      var seen: [MCPNotification] = []
      for try await notification in notifications { seen.append(notification) }
      #expect(seen.count <= 1)
    }
  }

  @Test func `input that a server asks for is gathered, and its state goes back exactly`() async throws {
    let state = "opaque ✓ \n"
    let handlers = MCPClientHandlers(
      sampling: { _ in MCPSamplingResult(["Paris"], model: "m") },
      elicitation: { request in .accept(["name": .string(request.message)]) }, roots: { [MCPRoot(uri: "file:///x")] })
    try await FakeServer.with(configuration: .init(handlers: handlers)) { _, _, _, params in
      guard let responses = params["inputResponses"] else {
        return [
          "resultType": "input_required", "requestState": .string(state),
          "inputRequests": [
            "who": [
              "method": "elicitation/create",
              "params": [
                "message": "Name?",
                "requestedSchema": ["type": "object", "properties": ["age": ["type": "integer", "default": 30]]],
              ],
            ],
            "capital": ["method": "sampling/createMessage", "params": ["messages": [], "maxTokens": 5]],
            "roots": ["method": "roots/list"],
          ],
        ]
      }
      #expect(params["requestState"] == .string(state))
      #expect(responses["who"] == ["action": "accept", "content": ["name": "Name?", "age": 30]])
      #expect(responses["capital"]?["content"]?["text"] == "Paris")
      #expect(responses["roots"] == ["roots": [["uri": "file:///x"]]])
      return ["resultType": "complete", "content": [["type": "text", "text": "done"]]]
    } _: { client, server async throws in
      #expect(try await client.call("t", ["a": 1]).text == "done")
      let calls = server.messages("tools/call")
      #expect(calls.count == 2)
      #expect(calls[0].id != calls[1].id)
      #expect(calls.allSatisfy { $0.params?["arguments"] == ["a": 1] })
      let capabilities = calls[0].params?["_meta"]?["io.modelcontextprotocol/clientCapabilities"]
      #expect(capabilities?["elicitation"] == ["form": [:], "url": [:]])
      #expect(capabilities?["roots"] == [:])
    }
  }

  @Test func `a server that asks without an end is stopped, and one that asks what nobody gives fails`() async throws {
    try await FakeServer.with { _, _, method, params in
      if method == "tools/call", params["name"] == "ask" {
        return ["resultType": "input_required", "inputRequests": ["r": ["method": "roots/list"]]]
      }
      return ["resultType": "input_required", "requestState": "again"]
    } _: { client, server async throws in
      let endless = await #expect(throws: MCPError.self) { try await client.call("t") }
      #expect(endless?.code == .tooManyRounds)
      #expect(server.messages("tools/call").count == 11)
      let declined = await #expect(throws: MCPError.self) { try await client.call("ask") }
      #expect(declined?.code == .inputDeclined)
      let list = await #expect(throws: MCPError.self) { try await client.tools() }
      #expect(list?.code == .invalidResponse)
    }
  }

  @Test func `a result of an unknown type is refused, one without a type is complete`() async throws {
    try await FakeServer.with { _, _, _, params in
      params["name"] == "odd" ? ["resultType": "later", "content": []] : Self.text
    } _: { client, _ async throws in
      let error = await #expect(throws: MCPError.self) { try await client.call("odd") }
      #expect(error?.code == .invalidResponse)
      #expect(try await client.call("t").text == "ok")
    }
  }

  @Test func `answers are used again while they are fresh and nothing has changed`() async throws {
    let clock = ManualClock()
    try await FakeServer.with(configuration: .init(clock: clock)) { server, _, method, _ in
      switch method {
      case "tools/list":
        var result = Self.tools("a")
        result["ttlMs"] = 60_000
        result["cacheScope"] = "private"
        return result
      case "tools/call":
        try await server.send(.notification(method: "notifications/tools/list_changed", params: nil))
        return Self.text
      default: return ["contents": [], "ttlMs": 0]
      }
    } _: { client, server async throws in
      for _ in 0..<3 { _ = try await client.tools() }
      #expect(server.messages("tools/list").count == 1)
      clock.advance(by: .seconds(60))
      _ = try await client.tools()
      #expect(server.messages("tools/list").count == 2)
      _ = try await client.call("a")
      _ = try await client.tools()
      #expect(server.messages("tools/list").count == 3)
      _ = try await client.tools(options: MCPRequestOptions(usesCache: false))
      #expect(server.messages("tools/list").count == 4)
      for _ in 0..<2 { _ = try await client.read("x:y") }
      #expect(server.messages("resources/read").count == 2)
    }
  }

  @Test func `progress is told to the caller while the call runs`() async throws {
    let steps = Locked<[MCPProgress]>([])
    try await FakeServer.with { server, _, _, params in
      for step in 0...2 {
        try await server.send(
          .notification(
            method: "notifications/progress",
            params: [
              "progressToken": params["_meta"]?["progressToken"] ?? .null, "progress": JSONValue(step), "total": 2,
            ]))
      }
      return Self.text
    } _: { client, _ async throws in
      _ = try await client.call(
        "t", options: MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step) } }))
      #expect(steps.withLock { $0 }.map(\.progress) == [0, 1, 2])
    }
  }

  @Test func `a legacy server may ask while a call runs, and is refused what is not offered`() async throws {
    let answers = Locked<[MCPMessage]>([])
    let (near, far) = InProcessTransport.pair()
    let client = MCPClient(
      near,
      configuration: .init(handlers: MCPClientHandlers(roots: { [MCPRoot(uri: "file:///a")] }), timeouts: .patient))
    async let serving: Void = {
      while case .message(let message) = try? await far.receive() {
        switch message {
        case .request(let id, let method, let params):
          if let result = try? FakeServer.introduce(method, params ?? [:], .june2025, [:]) {
            try? await far.send(.result(id, result), MCPSendContext())
          } else if method == "tools/call" {
            for (asked, question) in [("q1", "roots/list"), ("q2", "sampling/createMessage"), ("q3", "ping")] {
              try? await far.send(.request(.string(asked), method: question, params: nil), MCPSendContext())
            }
          } else {
            try? await far.send(.failure(id, MCPErrorObject(.methodNotFound, "no")), MCPSendContext())
          }
        case .notification: break
        default:
          let count = answers.withLock { answers in
            answers.append(message)
            return answers.count
          }
          if count == 3 { try? await far.send(.result(3, Self.text), MCPSendContext()) }
        }
      }
    }()
    #expect(try await client.call("t").text == "ok")
    let byID = Dictionary(answers.withLock { $0 }.map { ($0.id, $0) }) { $1 }
    #expect(byID["q1"] == .result("q1", ["roots": [["uri": "file:///a"]]]))
    #expect(byID["q3"] == .result("q3", [:]))
    guard case .failure(_, let error) = byID["q2"] else {
      Issue.record("\(byID)")
      return
    }
    #expect(error.code == .methodNotFound)
    await client.close()
    await serving
  }

  @Test func `resources, templates, prompts and completions are read`() async throws {
    try await FakeServer.with(
      .november2025, capabilities: ["resources": ["subscribe": true], "prompts": [:], "completions": [:]]
    ) { _, _, method, params in
      switch method {
      case "resources/list": return ["resources": [["uri": "a:b", "name": "n"], 7]]
      case "resources/templates/list": return ["resourceTemplates": [["uriTemplate": "a:{x}", "name": "t"]]]
      case "resources/read":
        guard params["uri"] == "a:b" else { throw MCPErrorObject(.legacyResourceNotFound, "none") }
        return ["contents": [["uri": "a:b", "text": "hello"], ["uri": "a:b", "blob": "AA=="]]]
      case "prompts/list": return ["prompts": [["name": "p", "arguments": [["name": "x", "required": true]]]]]
      case "prompts/get":
        #expect(params["arguments"] == ["x": "1"])
        return ["messages": [["role": "user", "content": ["type": "text", "text": "hi"]]]]
      case "completion/complete":
        #expect(params["context"] == ["arguments": ["y": "2"]])
        return ["completion": ["values": ["paris", "park"], "hasMore": true]]
      default: throw MCPErrorObject(.methodNotFound, method)
      }
    } _: { client, _ async throws in
      #expect(try await client.tools().isEmpty)
      #expect(try await client.resources().map(\.uri) == ["a:b"])
      #expect(try await client.resourceTemplates().map(\.name) == ["t"])
      let contents = try await client.read("a:b")
      #expect(contents.map(\.text) == ["hello", nil])
      #expect(contents[1].base64 == "AA==")
      let missing = await #expect(throws: MCPError.self) { try await client.read("a:c") }
      #expect(missing?.isNotFound == true)
      #expect(try await client.prompts()[0].arguments[0].isRequired)
      #expect(try await client.prompt("p", ["x": "1"]).messages[0].content?.text == "hi")
      let completion = try await client.complete(.prompt("p"), argument: "x", value: "pa", context: ["y": "2"])
      #expect(completion.values == ["paris", "park"])
      #expect(completion.hasMore)
    }
  }

  @Test func `a user who must go to an address first is sent there, and the call is made again`() async throws {
    let visited = Locked(false)
    let handlers = MCPClientHandlers(elicitation: { request in
      #expect(request.url == "https://example.com/login")
      visited.withLock { $0 = true }
      return .accept
    })
    try await FakeServer.with(.november2025, configuration: .init(handlers: handlers)) { server, _, _, _ in
      if server.messages("tools/call").count > 1 { return Self.text }
      Task {
        while !visited.withLock({ $0 }) { await Task.yield() }
        try await server.send(
          .notification(method: "notifications/elicitation/complete", params: ["elicitationId": "e1"]))
      }
      throw MCPErrorObject(
        .urlElicitationRequired, "log in first",
        data: [
          "elicitations": [
            ["mode": "url", "elicitationId": "e1", "url": "https://example.com/login", "message": "Log in."]
          ]
        ])
    } _: { client, server async throws in
      #expect(try await client.call("t").text == "ok")
      #expect(server.messages("tools/call").count == 2)
    }
  }

  @Test(arguments: MCPRevision.allCases)
  func `what a later revision has is not used in an earlier one`(_ revision: MCPRevision) async throws {
    let handlers = MCPClientHandlers(
      sampling: { _ in MCPSamplingResult([], model: "m") }, samplesWithTools: true, elicitation: { _ in .decline },
      roots: { [] })
    let revisions: MCPClient.Revisions = revision.era == .modern ? .modern : .legacy(revision)
    let configuration = MCPClient.Configuration(handlers: handlers, revisions: revisions)
    try await FakeServer.with(revision, configuration: configuration) { _, _, _, _ in
      Self.text
    } _: {
      client, server async throws in
      _ = try await client.call("t")
      let capabilities =
        revision.era == .modern
        ? server.messages("tools/call")[0].params?["_meta"]?["io.modelcontextprotocol/clientCapabilities"]
        : server.messages("initialize").last?.params?["capabilities"]
      #expect(capabilities?["elicitation"] != nil || revision < .june2025)
      #expect((capabilities?["elicitation"]?["url"] != nil) == (revision >= .november2025))
      #expect((capabilities?["sampling"]?["tools"] != nil) == (revision >= .november2025))
      #expect((capabilities?["extensions"] != nil) == (revision >= .july2026))
    }
  }
}
