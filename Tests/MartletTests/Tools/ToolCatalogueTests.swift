import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `A tool catalogue` {
  /// Tells which arguments arrived.
  struct ReportTool: Tool {
    let name = "report"
    let description = "Reports. Use it in tests."
    let effect = ToolEffect.idempotent
    let requiresPermission = true
    let timeout: Duration? = .seconds(7)
    let parameters: JSONValue = [
      "type": "object",
      "properties": ["city": ["type": "string"], "days": ["type": "integer", "maximum": 5]], "required": ["city"],
      "additionalProperties": false,
    ]

    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      .text(arguments.text(.canonical))
    }
  }

  /// Gives back the command line that arrived.
  struct LineTool: Tool {
    let name = "shell"
    let description = "Runs a command line. Use it in tests."
    let requiresPermission = true
    let parameters: JSONValue = ["type": "object", "properties": ["command": ["type": "string"]]]

    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      .text(arguments["command"]?.stringValue ?? "nothing")
    }
  }

  static func catalogue(_ text: String) throws -> ToolCatalogue { try ToolCatalogue(json: JSONValue(parsing: text)) }

  @Test func `describes tools anew and adds further ones, in order`() async throws {
    let registry = try ToolRegistry([ReportTool(), EchoTool()])
    let catalogue = try Self.catalogue(
      #"""
      {"version": 1, "later": true, "tools": [
        {"name": "oslo", "implementation": "report", "title": "Oslo", "description": "About Oslo.",
         "preset": {"city": "Oslo"}, "code": "rm -rf /"},
        {"name": "echo", "description": "Says it again."}]}
      """#)
    #expect(await registry.apply(catalogue).isEmpty)
    let definitions = await registry.definitions
    #expect(definitions.map(\.name) == ["report", "echo", "oslo"])
    #expect(definitions.map(\.description) == ["Reports. Use it in tests.", "Says it again.", "About Oslo."])
    #expect(
      definitions[2].parameters == [
        "type": "object", "properties": ["days": ["type": "integer", "maximum": 5]], "required": [],
        "additionalProperties": false,
      ])
    #expect(await registry.apply(ToolCatalogue()).isEmpty)
    #expect(await registry.definitions == [try ReportTool().definition, try EchoTool().definition])
  }

  @Test func `cannot change what a tool does, its effect or its permission`() async throws {
    let registry = try ToolRegistry([ReportTool(), EchoTool()])
    let catalogue = try Self.catalogue(
      #"""
      {"version": 1, "tools": [
        {"name": "oslo", "implementation": "report", "description": "About Oslo.", "preset": {"city": "Oslo"},
         "effect": "read_only", "requires_permission": false, "instant": true, "timeout": 1,
         "parameters": {"type": "object", "properties": {"days": {"type": "integer"}, "city": {"type": "string"}}}},
        {"name": "echo", "implementation": "report"},
        {"name": "launch", "implementation": "rocket", "description": "Not here."}]}
      """#)
    let problems = await registry.apply(catalogue)
    #expect(problems.count == 2)
    #expect(problems[0].contains("echo is left out") && problems[1].contains("no tool rocket"))
    let tool = try #require(await registry.tool(named: "oslo"))
    #expect(tool.definition.effect == .idempotent)
    #expect(tool.definition.requiresPermission)
    #expect(tool.definition.isInstant == false)
    #expect(tool.timeout == .seconds(7))
    // A preset wins over the model, and the tool's own schema over the catalogue's.
    let ready = try Self.prepared(tool, ["city": "Bergen", "days": 3])
    #expect(ready == ["city": "Oslo", "days": 3])
    let output = try await tool.call(ready, context: ToolContext())
    #expect(output.content.first?.text == #"{"city":"Oslo","days":3}"#)
    #expect(throws: Refused.self) { try Self.prepared(tool, ["days": 9]) }
  }

  struct Refused: Error {}

  private static func prepared(_ tool: AnyTool, _ arguments: JSONObject) throws -> JSONObject {
    switch tool.prepare(ToolCall(name: tool.definition.name, arguments: arguments)) {
    case .ready(let ready): return ready
    case .refused: throw Refused()
    }
  }

  @Test func `fills in what is preset before anybody is asked, and leaves it when prepared again`() async throws {
    let registry = try ToolRegistry([ReportTool()])
    await registry.apply(
      ToolCatalogue([.init(name: "report", preset: ["city": "Oslo", "days": "3"])]))
    let tool = try #require(await registry.tool(named: "report"))
    let ready = try Self.prepared(tool, [:])
    #expect(ready == ["city": "Oslo", "days": 3])
    #expect(try Self.prepared(tool, ready) == ready)
    #expect(throws: Refused.self) { try Self.prepared(tool, ["city": "Bergen"]) }
  }

  @Test func `cannot hide from rules and questions what a call does`() async throws {
    let registry = try ToolRegistry([LineTool(), EchoTool(name: "read_file")])
    let problems = await registry.apply(
      ToolCatalogue([
        .init(name: "shell", preset: ["command": "rm x"]), .init(name: "peek", implementation: "read_file"),
        .init(
          name: "glance", implementation: "read_file",
          parameters: ["type": "object", "properties": ["path": [:], "command": [:]]]),
      ]))
    #expect(problems.count == 1 && problems[0].contains("glance is left out"), "\(problems)")
    let model = ScriptedModel([.calls([call("c1", "shell", [:])]), .text("Done.")])
    let agent = Agent(model: model, tools: registry)
    await #expect(throws: AgentError.self) { try await agent.send("Go") }
    let request = try #require(await agent.loop.openApprovals.first)
    #expect(request.call.arguments == .object(["command": "rm x"]))
    #expect(request.options.compactMap(\.rule) == ["shell(rm x)"])
    try await agent.resolve(approval: request.approvalId, .allow)
    #expect(try await agent.resume() == "Done.")
    #expect(Array(model.requests[1].messages).last?.text == "rm x")

    let definition = try #require(await registry.tool(named: "shell")).definition
    let deny = ApprovalPolicy(mode: .all, rules: PermissionRules(deny: [try PermissionRule("shell(rm *)")]))
    #expect(deny.outcome(of: request.call, definition) != .allow)
  }

  @Test func `leaves the rules about a tool in force under its other names`() async throws {
    let registry = try ToolRegistry([EchoTool(name: "read_file")])
    await registry.apply(ToolCatalogue([.init(name: "peek", implementation: "read_file")]))
    let definition = try #require(await registry.tool(named: "peek")).definition
    #expect(definition.implementation == "read_file")
    #expect(try ToolDefinition(json: definition.json) == definition)
    let call = ToolCall(name: "peek", arguments: ["path": ".env"])
    for name in ["read_file", "peek"] {
      let rule = try PermissionRule("\(name)(.env*)")
      #expect(ApprovalPolicy(mode: .all, rules: PermissionRules(ask: [rule])).outcome(of: call, definition) == .ask)
      #expect(ApprovalPolicy(mode: .all, rules: PermissionRules(deny: [rule])).denial(of: call, definition) != nil)
      #expect(rule.surelyCovers(call, definition) == (name == "peek"))
    }
  }

  @Test func `reaches a conversation with its next prompt, as a new epoch`() async throws {
    let registry = try ToolRegistry([EchoTool()])
    let model = ScriptedModel { index, _ in
      index == 1 ? .calls([call("call_a", "hello", [:])]) : .text("Yes.")
    }
    let agent = Agent(model: model, tools: registry)
    _ = try await agent.send("One")
    await registry.apply(
      ToolCatalogue([
        .init(name: "hello", implementation: "echo", description: "Says hello.", preset: ["text": "hello"])
      ]))
    _ = try await agent.send("Two")
    #expect(model.requests.map { $0.tools.map(\.name) } == [["echo"], ["echo", "hello"], ["echo", "hello"]])
    #expect(model.requests.map { $0.prefix?.epoch } == [1, 2, 2])
    #expect(Array(model.requests[2].messages).last?.text == "hello")
  }

  @Test func `what is registered later takes part, and what is taken away goes with all its names`() async throws {
    let registry = try ToolRegistry([EchoTool()])
    await registry.apply(
      ToolCatalogue([.init(name: "report", description: "Other words."), .init(name: "twice", implementation: "echo")]))
    #expect(await registry.definitions.map(\.name) == ["echo", "twice"])
    try await registry.register(ReportTool())
    #expect(await registry.definitions.map(\.name) == ["echo", "report", "twice"])
    #expect(await registry.tool(named: "report")?.definition.description == "Other words.")
    await registry.unregister("echo")
    #expect(await registry.definitions.map(\.name) == ["report"])
    #expect(await registry.tool(named: "twice") == nil)
  }

  @Test(arguments: [
    ("[]", "object"), (#"{"tools": []}"#, "version"), (#"{"version": 2, "tools": []}"#, "version"),
    (#"{"version": 1}"#, "tools"), (#"{"version": 1, "tools": [7]}"#, "tools[0]"),
    (#"{"version": 1, "tools": [{}]}"#, "tools[0].name"),
    (#"{"version": 1, "tools": [{"name": "a b"}]}"#, "tools[0].name"),
    (#"{"version": 1, "tools": [{"name": "a"}, {"name": "a"}]}"#, "tools[1].name"),
    (#"{"version": 1, "tools": [{"name": "a", "description": ""}]}"#, "tools[0].description"),
    (#"{"version": 1, "tools": [{"name": "a", "preset": []}]}"#, "tools[0].preset"),
    (#"{"version": 1, "tools": [{"name": "a", "parameters": {"type": "string"}}]}"#, "tools[0].parameters"),
    (
      #"{"version": 1, "tools": [{"name": "a", "parameters": {"type": "object", "properties": 7}}]}"#,
      "tools[0].parameters"
    ),
  ])
  func `a document that is not as it should be is refused as a whole, with the place`(_ text: String, _ place: String)
    throws
  {
    let failure = #expect(throws: ToolCatalogue.Failure.self) { try Self.catalogue(text) }
    #expect(failure?.description.contains(place) == true, "\(String(describing: failure))")
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func `no damaged document is more than refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sound = Array(
      #"{"version":1,"tools":[{"name":"a","implementation":"b","parameters":{"type":"object"},"preset":{"x":[1]}}]}"#
        .utf8)
    for _ in 0..<50 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        if random.chance(0.3) { bytes.remove(at: index) } else { bytes[index] = random.pick(sound) }
      }
      guard let document = try? JSONValue(parsing: bytes) else { continue }
      do {
        let catalogue = try ToolCatalogue(json: document)
        #expect(catalogue.entries.count <= 1, "seed \(seed)")
      } catch {
        #expect(error is ToolCatalogue.Failure, "seed \(seed)")
      }
    }
  }
}
