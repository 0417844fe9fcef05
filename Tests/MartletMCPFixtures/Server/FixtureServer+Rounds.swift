import MartletJSON
import MartletMCP

/// Tools that ask for input before they answer.
extension FixtureServer {
  func addRoundTools() {
    func name(_ rest: String) -> String { "test_input_required_result_\(rest)" }

    add(name("elicitation"), "Asks for a name.") { _, context in
      let answer = try await context.elicit(Self.nameQuestion, as: "user_name")
      return "Hello, \(answer.content["name"]?.stringValue ?? "nobody")!"
    }
    add(name("sampling"), "Asks the client's model for a capital.") { _, context in
      let answer = try await context.sample(Self.question("What is the capital of France?"), as: "capital_question")
      return "The model said: \(answer.text)"
    }
    add(name("list_roots"), "Asks for the client's roots.") { _, context in
      let roots = try await context.roots(as: "client_roots")
      return "Roots: \(roots.map(\.uri).joined(separator: ", "))"
    }
    add(name("request_state"), "Asks, and wants back what it put down.") { _, context in
      try await Self.confirmed(context)
    }
    add(name("tampered_state"), "Asks, and takes back only what it put down itself.") { _, context in
      try await Self.confirmed(context)
    }
    add(name("multiple_inputs"), "Asks three things at once.") { _, context in
      context.keep("three questions")
      let answers = try await context.ask([
        "user_name": .elicit(Self.nameQuestion), "greeting": .sample(Self.question("Generate a greeting")),
        "client_roots": .roots,
      ])
      return "Got \(answers.keys.sorted().joined(separator: ", "))."
    }
    add(name("multi_round"), "Asks twice, one after the other.") { _, context in
      context.keep("round 1")
      let first = try await context.elicit(
        MCPElicitationRequest(message: "Step 1: What is your name?", schema: Self.texts("name")), as: "step1")
      context.keep("round 2")
      let second = try await context.elicit(
        MCPElicitationRequest(message: "Step 2: What is your favorite color?", schema: Self.texts("color")),
        as: "step2")
      return
        "\(first.content["name"]?.stringValue ?? "Nobody") likes \(second.content["color"]?.stringValue ?? "nothing")."
    }
    add(name("capabilities"), "Asks only what the client can answer.") { _, context in
      var said: [String] = []
      if context.client.elicitationModes.contains(.form) {
        said.append(Self.text(try await context.elicit(Self.nameQuestion, as: "user_name")))
      }
      if context.client.hasSampling {
        said.append(try await context.sample(Self.question("Generate a greeting"), as: "greeting").text)
      }
      if context.client.hasRoots {
        said += try await context.roots(as: "client_roots").map(\.uri)
      }
      return "Got: \(said.joined(separator: "; "))"
    }
  }

  static let nameQuestion = MCPElicitationRequest(message: "What is your name?", schema: texts("name"))

  private static func question(_ text: String) -> MCPSamplingRequest {
    MCPSamplingRequest([.init([.text(text)])], maxTokens: 100)
  }

  private static func confirmed(_ context: MCPCallContext) async throws -> MCPCallResult {
    context.keep("put down in the first round")
    let answer = try await context.elicit(
      MCPElicitationRequest(
        message: "Please confirm",
        schema: ["type": "object", "properties": ["ok": ["type": "boolean"]], "required": ["ok"]]),
      as: "confirm")
    let cameBack = context.state == "put down in the first round"
    return "\(cameBack ? "state-ok" : "no state"), \(text(answer))"
  }
}
