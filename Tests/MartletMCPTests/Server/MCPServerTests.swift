import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct MCPServerTests {
  static let revisions = MCPRevision.allCases
  private static let modern = MCPRevision.july2026

  private func server(_ configuration: MCPServer.Configuration = .init()) -> MCPServer {
    MCPServer(MCPImplementation(name: "test", version: "1"), configuration: configuration)
  }

  /// A client that speaks one revision alone.
  private func with<Result>(
    _ server: MCPServer, _ revision: MCPRevision = .latest, handlers: MCPClientHandlers = MCPClientHandlers(),
    logLevel: MCPLogLevel? = nil, _ body: (MCPClient) async throws -> Result
  ) async throws -> Result {
    let client = server.client(
      configuration: .init(
        handlers: handlers, revisions: revision.era == .modern ? .modern : .legacy(revision), timeouts: .patient,
        logLevel: logLevel))
    do {
      let result = try await body(client)
      await client.close()
      await server.close()
      return result
    } catch {
      await client.close()
      await server.close()
      throw error
    }
  }

  @Test func `an app offers its own data with a list and one function`() async throws {
    struct BloodPressureService: MCPServerProtocol {
      let tools = [MCPTool(name: "blood_pressure", description: "The latest blood pressure.")]
      func call(_ name: String, arguments: JSONObject) async throws -> MCPCallResult {
        guard name == "blood_pressure" else { throw MCPError.toolNotSupported(name) }
        return "\(123)/\(78)"
      }
    }
    let client = MCPClient(BloodPressureService(), configuration: .init(timeouts: .patient))
    #expect(try await client.tools().map(\.name) == ["blood_pressure"])
    #expect(try await client.call("blood_pressure").text == "123/78")
    let error = await #expect(throws: MCPError.self) { try await client.call("pulse") }
    #expect(error?.reply?.code == .invalidParams)
    await client.close()
    await #expect(throws: MCPError.self) { try await BloodPressureService().call("pulse", arguments: [:]) }
  }

  @Test(arguments: revisions) func `tools are listed and called in every revision`(_ revision: MCPRevision) async throws
  {
    let server = server()
    server.register(
      MCPTool(
        name: "add", inputSchema: ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]],
        outputSchema: ["type": "object", "properties": ["sum": ["type": "integer"]]])
    ) { arguments, _ in .structured(["sum": JSONValue((arguments["a"]?.intValue ?? 0) + 1)]) }
    try await with(server, revision) { client async throws in
      #expect(try await client.connect().revision == revision)
      #expect(try await client.tools().map(\.name) == ["add"])
      let result = try await client.call("add", ["a": 2])
      #expect(result.text == #"{"sum":3}"#)
      let hasStructure = revision.facts.structuredContent != .absent
      #expect(result.structuredContent == (hasStructure ? ["sum": 3] : nil))
      let unknown = await #expect(throws: MCPError.self) { try await client.call("none") }
      #expect(unknown?.reply?.code == .invalidParams)
      if revision.facts.badArgumentsAreResults {
        let bad = try await client.call("add", ["a": "x"])
        #expect(bad.isError)
        #expect(bad.text.contains("a"))
      } else {
        let bad = await #expect(throws: MCPError.self) { try await client.call("add", ["a": "x"]) }
        #expect(bad?.reply?.code == .invalidParams)
      }
    }
  }

  @Test func `an error of a handler is a result, and one of the protocol is an error`() async throws {
    struct Trouble: Error, CustomStringConvertible { let description = "the disk is full" }
    let server = server()
    server.register(MCPTool(name: "fails")) { _, _ in throw Trouble() }
    server.register(MCPTool(name: "refuses")) { _, _ in throw MCPErrorObject(.internalError, "no") }
    server.register(MCPTool(name: "lies", outputSchema: ["type": "object", "required": ["x"]])) { _, _ in "text" }
    try await with(server) { client async throws in
      let result = try await client.call("fails")
      #expect(result.isError)
      #expect(result.text == "the disk is full")
      for name in ["refuses", "lies"] {
        let error = await #expect(throws: MCPError.self) { try await client.call(name) }
        #expect(error?.reply?.code == .internalError)
      }
    }
  }

  @Test(arguments: revisions) func `content that a revision does not know becomes text`(_ revision: MCPRevision)
    async throws
  {
    let server = server()
    server.register(MCPTool(name: "mixed")) { _, _ in
      MCPCallResult([
        "text", .image(base64: "AA==", mimeType: "image/png"), .audio(base64: "AA==", mimeType: "audio/wav"),
        .link(to: MCPResource(uri: "a:b", name: "n")), .resource(MCPResourceContents(uri: "a:b", text: "x")),
      ])
    }
    try await with(server, revision) { client async throws in
      let kinds = try await client.call("mixed").content.map(\.kind)
      #expect(kinds.count == 5)
      #expect(kinds.allSatisfy { revision.facts.contentKinds.contains($0) })
      #expect((kinds[2] == .audio) == (revision != .november2024))
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a handler asks the user, the model and for roots`(_ revision: MCPRevision) async throws {
    let server = server()
    server.register(MCPTool(name: "ask")) { _, context in
      let name = try await context.elicit(
        MCPElicitationRequest(
          message: "Name?", schema: ["type": "object", "properties": ["name": ["type": "string"]]]),
        as: "name")
      guard name.action == .accept else { return .failure("declined") }
      let capital = try await context.sample(
        MCPSamplingRequest([.init(["Capital?"])], maxTokens: 5), as: "capital")
      let roots = try await context.roots(as: "roots")
      return "\(name.content["name"]?.stringValue ?? "") \(capital.text) \(roots.map(\.uri).joined())"
    }
    let asked = Locked<[String]>([])
    let handlers = MCPClientHandlers(
      sampling: { _ in
        asked.withLock { $0.append("sampling") }
        return MCPSamplingResult(["Paris"], model: "m")
      },
      elicitation: { _ in
        asked.withLock { $0.append("elicitation") }
        return .accept(["name": "Ada"])
      }, roots: { [MCPRoot(uri: "file:///x")] })
    try await with(server, revision, handlers: handlers) { client async throws in
      #expect(try await client.call("ask").text == "Ada Paris file:///x")
      // Each once, however many rounds it took.
      #expect(asked.withLock { $0 } == ["elicitation", "sampling"])
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a client is asked only what it said it can do`(_ revision: MCPRevision) async throws {
    let server = server()
    server.register(MCPTool(name: "sample")) { _, context in
      "\(try await context.sample(MCPSamplingRequest([], maxTokens: 5)).text)"
    }
    try await with(server, revision) { client async throws in
      let error = await #expect(throws: MCPError.self) { try await client.call("sample") }
      if revision == Self.modern {
        #expect(error?.reply?.code == .missingClientCapability)
        #expect(error?.reply?.data == ["requiredCapabilities": ["sampling": [:]]])
      }
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `progress and log messages reach the caller`(_ revision: MCPRevision) async throws {
    let server = server()
    server.register(MCPTool(name: "work")) { _, context in
      for step in 0...2 {
        try await context.progress(Double(step), total: 2)
        try await context.log(step == 1 ? .debug : .warning, "step", logger: "l")
      }
      return "done"
    }
    let steps = Locked<[Double]>([])
    try await with(server, revision, logLevel: .info) { client async throws in
      let notifications = client.notifications()
      let options = MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step.progress) } })
      #expect(try await client.call("work", options: options).text == "done")
      #expect(steps.withLock { $0 } == [0, 1, 2])
      var reader = notifications.makeAsyncIterator()
      let message = try await reader.next()
      #expect(message == .log(MCPLogMessage(.warning, "step", logger: "l")))
    }
  }

  @Test func `without a level no log messages are sent where requests describe themselves`() async throws {
    let server = server()
    server.register(MCPTool(name: "work")) { _, context in
      try await context.log(.emergency, "fire")
      return "done"
    }
    try await with(server) { client async throws in
      let notifications = client.notifications()
      _ = try await client.call("work")
      await client.close()
      for try await notification in notifications {
        if case .log = notification { Issue.record("a log message came") }
      }
    }
  }

  @Test(arguments: revisions) func `resources are read, by address and by template`(_ revision: MCPRevision)
    async throws
  {
    let server = server()
    server.register(MCPResource(uri: "test://text", name: "text")) { uri, _, _ in
      [MCPResourceContents(uri: uri, text: "hello")]
    }
    server.register(MCPResourceTemplate(uriTemplate: "test://template/{id}/data", name: "t")) { uri, variables, _ in
      [MCPResourceContents(uri: uri, text: variables["id"] ?? "")]
    }
    server.register(MCPResource(uri: "test://empty", name: "empty")) { _, _, _ in [] }
    try await with(server, revision) { client async throws in
      #expect(try await client.resources().map(\.uri) == ["test://text", "test://empty"])
      #expect(try await client.resourceTemplates().count == 1)
      #expect(try await client.read("test://text").map(\.text) == ["hello"])
      #expect(try await client.read("test://template/a%20b/data").map(\.text) == ["a b"])
      for uri in ["test://none", "test://template/a/b/data", "test://empty"] {
        let error = await #expect(throws: MCPError.self) { try await client.read(uri) }
        #expect(error?.isNotFound == true)
        #expect(error?.reply?.code == revision.facts.resourceNotFound)
        #expect(error?.reply?.data == ["uri": .string(uri)])
      }
    }
  }

  @Test(arguments: revisions) func `prompts are filled in and completed`(_ revision: MCPRevision) async throws {
    let server = server()
    server.register(MCPPrompt(name: "p", arguments: [.init(name: "x", isRequired: true), .init(name: "y")])) {
      arguments, _ in .init([.init("\(arguments["x"] ?? "")")])
    }
    server.setCompletion { reference, argument, value, known in
      #expect(reference == .prompt("p"))
      return MCPCompletion([argument, value, known["y"] ?? "none"])
    }
    try await with(server, revision) { client async throws in
      #expect(try await client.prompts()[0].arguments.map(\.name) == ["x", "y"])
      #expect(try await client.prompt("p", ["x": "1"]).messages[0].content?.text == "1")
      for (name, arguments) in [("p", [:]), ("none", ["x": "1"])] {
        let error = await #expect(throws: MCPError.self) { try await client.prompt(name, arguments) }
        #expect(error?.reply?.code == .invalidParams)
      }
      let values = try await client.complete(.prompt("p"), argument: "x", value: "v", context: ["y": "2"]).values
      #expect(values == ["x", "v", revision >= .june2025 ? "2" : "none"])
    }
  }

  @Test func `long lists come in pages, and a cursor from nowhere is refused`() async throws {
    let server = server(.init(pageSize: 2))
    for number in 1...5 { server.register(MCPTool(name: "t\(number)")) { _, _ in "" } }
    try await with(server) { client async throws in
      #expect(try await client.tools().map(\.name) == ["t1", "t2", "t3", "t4", "t5"])
      for cursor in ["", "x!", "9", "-1", "0"] {
        let error = await #expect(throws: MCPError.self) {
          try await client.request("tools/list", ["cursor": .string(cursor)])
        }
        #expect(error?.reply?.code == .invalidParams)
      }
    }
  }

  @Test(arguments: revisions) func `changes are told to who listens, until it stops`(_ revision: MCPRevision)
    async throws
  {
    let server = server()
    server.register(MCPTool(name: "a")) { _, _ in "" }
    server.register(MCPResource(uri: "x:y", name: "n")) { uri, _, _ in [MCPResourceContents(uri: uri, text: "")] }
    try await with(server, revision) { client async throws in
      let filter = MCPListenFilter(tools: true, prompts: true, resources: ["x:y"])
      let changes = try await client.listen(filter)
      #expect(changes.acknowledged == MCPListenFilter(tools: true, resources: ["x:y"]))
      var reader = changes.makeAsyncIterator()
      server.resourceUpdated("x:other")
      server.removeTool("a")
      #expect(try await reader.next() == .toolsChanged)
      server.resourceUpdated("x:y")
      #expect(try await reader.next() == .resourceUpdated(uri: "x:y"))
    }
  }

  @Test func `when a server closes, who listens is told that there is no more`() async throws {
    let server = server()
    server.register(MCPTool(name: "a")) { _, _ in "" }
    try await with(server) { client async throws in
      let changes = try await client.listen(MCPListenFilter(tools: true))
      var reader = changes.makeAsyncIterator()
      server.removeTool("a")
      #expect(try await reader.next() == .toolsChanged)
      await server.close()
      #expect(try await reader.next() == nil)
    }
  }

  @Test(arguments: [MCPRevision.november2025, .july2026])
  func `a tool goes on as a task, and the caller gets its result`(_ revision: MCPRevision) async throws {
    let server = server(.init(pollInterval: .milliseconds(1)))
    server.register(MCPTool(name: "slow"), taskMode: .required) { _, context in
      let answer = try await context.elicit(MCPElicitationRequest(message: "Sure?", schema: ["type": "object"]))
      return answer.action == .accept ? "done" : .failure("not done")
    }
    server.register(MCPTool(name: "broken"), taskMode: .required) { _, _ in throw MCPErrorObject(.internalError, "no") }
    let handlers = MCPClientHandlers(elicitation: { _ in .decline })
    try await with(server, revision, handlers: handlers) { client async throws in
      _ = try await client.tools()
      let result = try await client.call("slow")
      #expect(result.isError)
      #expect(result.text == "not done")
      let error = await #expect(throws: MCPError.self) { try await client.call("broken") }
      #expect(error?.reply?.message == "no")
      let unknown = await #expect(throws: MCPError.self) { try await client.task("none") }
      #expect(unknown?.reply?.code == .invalidParams)
    }
  }

  @Test func `cancelling who waits for a task cancels the task`() async throws {
    let server = server(.init(pollInterval: .milliseconds(1)))
    let (began, ended) = (Gate(), Gate())
    server.register(MCPTool(name: "slow"), taskMode: .allowed) { _, _ in
      defer { ended.open() }
      began.open()
      try await Gate().waitUnlessCancelled()
      return "done"
    }
    try await with(server) { client async throws in
      guard case .running(let task) = try await client.start("slow") else {
        Issue.record("no task")
        return
      }
      let waiting = Task { try await client.result(of: task) }
      await began.wait()
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await ended.wait()
    }
  }

  @Test func `cancelling a call cancels its handler`() async throws {
    let server = server()
    let (began, ended) = (Gate(), Gate())
    server.register(MCPTool(name: "slow")) { _, _ in
      defer { ended.open() }
      began.open()
      try await Gate().waitUnlessCancelled()
      return "done"
    }
    try await with(server) { client async throws in
      let call = Task { try await client.call("slow") }
      await began.wait()
      call.cancel()
      await ended.wait()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test func `a client of any kind is served by one server`() async throws {
    let server = server()
    server.register(MCPTool(name: "t")) { _, context in "\(context.revision)" }
    let clients = MCPRevision.allCases.map { revision in
      server.client(
        configuration: .init(revisions: revision.era == .modern ? .modern : .legacy(revision), timeouts: .patient))
    }
    for (client, revision) in zip(clients, MCPRevision.allCases) {
      #expect(try await client.call("t").text == revision.rawValue)
    }
    for client in clients { await client.close() }
  }
}
