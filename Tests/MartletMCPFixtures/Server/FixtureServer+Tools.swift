import MartletJSON
import MartletMCP

extension FixtureServer {
  /// Tools that give one kind of content each.
  func addContentTools() {
    add("test_simple_text", "Gives text.") { _, _ in "This is a simple text response for testing." }
    add("test_image_content", "Gives a picture.") { _, _ in
      MCPCallResult([.image(base64: FixtureMedia.png, mimeType: "image/png")])
    }
    add("test_audio_content", "Gives a sound.") { _, _ in
      MCPCallResult([.audio(base64: FixtureMedia.wav, mimeType: "audio/wav")])
    }
    add("test_embedded_resource", "Gives a resource.") { _, _ in
      MCPCallResult([
        .resource(
          MCPResourceContents(
            uri: "test://embedded-resource", text: "This is an embedded resource content.", mimeType: "text/plain"))
      ])
    }
    add("test_multiple_content_types", "Gives text, a picture and a resource.") { _, _ in
      MCPCallResult([
        "Multiple content types test:", .image(base64: FixtureMedia.png, mimeType: "image/png"),
        .resource(
          MCPResourceContents(
            uri: "test://mixed-content-resource", text: #"{"test":"data","value":123}"#, mimeType: "application/json")),
      ])
    }
    add("test_error_handling", "Fails.") { _, _ in
      .failure("This tool intentionally returns an error for testing")
    }
  }

  /// Tools that say or ask something while they run.
  func addTalkingTools() {
    let pause = pause
    add("test_tool_with_logging", "Writes three lines to the client's log.") { _, context in
      for (step, line) in ["Tool execution started", "Tool processing data", "Tool execution completed"].enumerated() {
        if step > 0 { try await Task.sleep(for: pause) }
        try await context.log(.info, .string(line), logger: "martlet-mcp-fixture")
      }
      return "Logged three times."
    }
    add("test_logging_tool", "Writes to the client's log.") { _, context in
      try await context.log(.info, "A line for those who want it")
      return "Logged."
    }
    add("test_tool_with_progress", "Tells its progress three times.") { _, context in
      for (step, progress) in [0.0, 50, 100].enumerated() {
        if step > 0 { try await Task.sleep(for: pause) }
        try await context.progress(progress, total: 100)
      }
      return "Done."
    }
    add("test_sampling", "Asks the client's model.", schema: Self.texts("prompt")) { arguments, context in
      let prompt = arguments["prompt"]?.stringValue ?? ""
      let answer = try await context.sample(
        MCPSamplingRequest([.init([.text(prompt)])], maxTokens: 100), as: "sampling")
      return "LLM response: \(answer.text)"
    }
    add("test_elicitation", "Asks the user.", schema: Self.texts("message")) { arguments, context in
      let answer = try await context.elicit(
        MCPElicitationRequest(message: arguments["message"]?.stringValue ?? "", schema: Self.texts("response")))
      return "User response: \(Self.text(answer))"
    }
    add("test_elicitation_sep1034_defaults", "Asks with a form that has defaults.") { _, context in
      let answer = try await context.elicit(
        MCPElicitationRequest(message: "Please check these", schema: FixtureSchemas.defaults))
      return "Elicitation completed: \(Self.text(answer))"
    }
    add("test_elicitation_sep1330_enums", "Asks with a form of choices.") { _, context in
      let answer = try await context.elicit(
        MCPElicitationRequest(message: "Please choose", schema: FixtureSchemas.choices))
      return "Elicitation completed: \(Self.text(answer))"
    }
    add("test_streaming_elicitation", "Tells its progress and asks the user.") { _, context in
      try await context.progress(1, total: 2)
      let answer = try await context.elicit(
        MCPElicitationRequest(message: "Go on?", schema: Self.texts("response")))
      return "User response: \(Self.text(answer))"
    }
    add("test_reconnection", "Ends the stream, and its answer waits for the client to come back.") { _, context in
      await context.disconnect()
      try await Task.sleep(for: pause)
      return "Finished after the stream was taken up again."
    }
    add("test_missing_capability", "Needs a client with a model.") { _, context in
      let answer = try await context.sample(MCPSamplingRequest([.init([.text("Say anything")])], maxTokens: 10))
      return "The model said: \(answer.text)"
    }
    add("test_trigger_tool_change", "Tells that the tools have changed.") { [weak server] _, _ in
      server?.toolsChanged()
      return "Told."
    }
    add("test_trigger_prompt_change", "Tells that the prompts have changed.") { [weak server] _, _ in
      // Registered as it is, which tells that something was.
      if let server { FixtureServer(server: server, pause: .zero).addSimplePrompt() }
      return "Told."
    }
  }

  func addSchemaTools() {
    add("json_schema_2020_12_tool", "Has a schema with all kinds of keywords.", schema: FixtureSchemas.full) { _, _ in
      "The arguments fit."
    }
    add(
      "test_x_mcp_header", "Has an argument that is a header too.",
      schema: [
        "type": "object", "properties": ["region": ["type": "string", "x-mcp-header": "Region"]],
      ]
    ) { arguments, _ in "The region is \(arguments["region"]?.stringValue ?? "not given")." }
  }

  static func text(_ answer: MCPElicitationResult) -> String {
    "action=\(answer.action?.rawValue ?? "none"), content=\(JSONValue.object(answer.content).text())"
  }
}
