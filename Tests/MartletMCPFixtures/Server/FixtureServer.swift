import MartletJSON
package import MartletMCP

/// The server that the official conformance suite of MCP (0.2.0-alpha.11) expects to be pointed at: its tools, resources,
/// prompts and completions by the names that the suite uses.
package struct FixtureServer {
  let server: MCPServer
  /// Between two steps of what takes a while.
  let pause: Duration

  /// A server with everything on offer.
  /// - Parameter pause: between two steps of a tool that tells how it goes on; the suite asks for about 50 ms.
  package static func make(pause: Duration = .milliseconds(50)) -> MCPServer {
    let server = MCPServer(
      MCPImplementation(name: "martlet-mcp-fixture", version: "1.0.0"),
      configuration: .init(pollInterval: .milliseconds(100)))
    let fixture = FixtureServer(server: server, pause: pause)
    fixture.addContentTools()
    fixture.addTalkingTools()
    fixture.addSchemaTools()
    fixture.addRoundTools()
    fixture.addTaskTools()
    fixture.addResources()
    fixture.addPrompts()
    server.setCompletion { _, _, value, _ in
      MCPCompletion(["paris", "park", "party"].filter { $0.hasPrefix(value) })
    }
    return server
  }

  func add(
    _ name: String, _ description: String, schema: JSONValue = ["type": "object"], mode: MCPServer.TaskMode = .never,
    _ handler: @escaping MCPServer.ToolHandler
  ) {
    server.register(
      MCPTool(name: name, description: description, inputSchema: schema), taskMode: mode, handler: handler)
  }

  /// A schema of required texts.
  static func texts(_ names: String...) -> JSONValue {
    var properties = JSONObject()
    for name in names { properties[name] = ["type": "string"] }
    return [
      "type": "object", "properties": .object(properties), "required": .array(names.map { .string($0) }),
    ]
  }

  // MARK: Resources and prompts

  private func addResources() {
    server.register(
      MCPResource(
        uri: "test://static-text", name: "Static text", description: "Text that stays the same.", mimeType: "text/plain"
      )
    ) { uri, _, _ in
      [MCPResourceContents(uri: uri, text: "This is the content of the static text resource.", mimeType: "text/plain")]
    }
    server.register(
      MCPResource(
        uri: "test://static-binary", name: "Static picture", description: "A picture of one pixel.",
        mimeType: "image/png")
    ) { uri, _, _ in [MCPResourceContents(uri: uri, base64: FixtureMedia.png, mimeType: "image/png")] }
    server.register(
      MCPResource(
        uri: "test://watched-resource", name: "Watched", description: "Can be subscribed to.", mimeType: "text/plain")
    ) { uri, _, _ in [MCPResourceContents(uri: uri, text: "Watched resource content", mimeType: "text/plain")] }
    server.register(
      MCPResourceTemplate(
        uriTemplate: "test://template/{id}/data", name: "Data by id", description: "Says which id was asked for.",
        mimeType: "application/json")
    ) { uri, variables, _ in
      let id = variables["id"] ?? ""
      let data: JSONValue = ["id": .string(id), "templateTest": true, "data": .string("Data for ID: \(id)")]
      return [MCPResourceContents(uri: uri, text: data.text(), mimeType: "application/json")]
    }
  }

  private static let simplePrompt = MCPPrompt(name: "test_simple_prompt", description: "A prompt without arguments.")

  private func addPrompts() {
    addSimplePrompt()
    server.register(
      MCPPrompt(
        name: "test_prompt_with_arguments", description: "Repeats its arguments.",
        arguments: [
          .init(name: "arg1", description: "The first.", isRequired: true),
          .init(name: "arg2", description: "The second.", isRequired: true),
        ])
    ) { arguments, _ in
      MCPPrompt.Result([
        .init("Prompt with arguments: arg1='\(arguments["arg1"] ?? "")', arg2='\(arguments["arg2"] ?? "")'")
      ])
    }
    server.register(
      MCPPrompt(
        name: "test_prompt_with_embedded_resource", description: "Holds a resource.",
        arguments: [.init(name: "resourceUri", description: "Its address.", isRequired: true)])
    ) { arguments, _ in
      let resource = MCPResourceContents(
        uri: arguments["resourceUri"] ?? "", text: "Embedded resource content for testing.", mimeType: "text/plain")
      return MCPPrompt.Result([.init(.resource(resource)), .init("Please process the resource above.")])
    }
    server.register(MCPPrompt(name: "test_prompt_with_image", description: "Holds a picture.")) { _, _ in
      MCPPrompt.Result([
        .init(.image(base64: FixtureMedia.png, mimeType: "image/png")), .init("Please look at the picture above."),
      ])
    }
    server.register(
      MCPPrompt(name: "test_input_required_result_prompt", description: "Asks before it is filled in.")
    ) { _, context in
      let answer = try await context.elicit(
        MCPElicitationRequest(
          message: "What context should the prompt use?", schema: FixtureServer.texts("context")),
        as: "user_context")
      return MCPPrompt.Result([.init("Use this: \(answer.content["context"]?.stringValue ?? "nothing")")])
    }
  }

  func addSimplePrompt() {
    server.register(Self.simplePrompt) { _, _ in
      MCPPrompt.Result([.init("This is a simple prompt for testing.")])
    }
  }
}
