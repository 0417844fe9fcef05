import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// Kinds of blocks, items, parts and events that the services document beyond text and calls, and ones that they may add:
/// each is kept as it came, in every way that a stream may come, and goes back so.
@Suite struct OpenKindsTests {
  private func blocks(
    _ body: String, model: (ReplayTransport) -> any LanguageModel
  ) async throws -> [ContentBlock] {
    var first: [ContentBlock]?
    for way in RecordedWays.transports(for: Array(body.utf8)) {
      var events: [ModelEvent] = []
      for try await event in model(way.transport).stream(ModelRequest(messages: [.user("Hi")])) {
        events.append(event)
      }
      #expect(events.finish != nil, "\(way.name)")
      // Ids that the service gives none of are made anew.
      let blocks = events.blocks
      if let first { #expect(blocks.count == first.count, "\(way.name)") }
      first = first ?? blocks
    }
    return first ?? []
  }

  private func history(_ blocks: [ContentBlock]) -> ModelRequest {
    ModelRequest(messages: [.user("Hi"), Message(role: .assistant, content: blocks), .user("Go on")])
  }

  // MARK: - Anthropic

  static let anthropic: [String] = [
    #"{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"1"},"caller":{"type":"direct"}}"#,
    #"{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"code_execution_result","stdout":"1\n","stderr":"","return_code":0,"content":[]}}"#,
    #"{"type":"server_tool_use","id":"srvtoolu_2","name":"bash_code_execution","input":{"command":"ls"}}"#,
    #"{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_tool_result_error","error_code":"unavailable"}}"#,
    #"{"type":"server_tool_use","id":"srvtoolu_3","name":"text_editor_code_execution","input":{}}"#,
    #"{"type":"text_editor_code_execution_tool_result","tool_use_id":"srvtoolu_3","content":{"type":"text_editor_code_execution_view_result","content":"x","num_lines":1}}"#,
    #"{"type":"server_tool_use","id":"srvtoolu_4","name":"web_fetch","input":{"url":"https://example.com"}}"#,
    #"{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_4","content":{"type":"web_fetch_result","url":"https://example.com","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}}}"#,
    #"{"type":"server_tool_use","id":"srvtoolu_5","name":"web_search","input":{"query":"x"}}"#,
    #"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_5","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e","page_age":null}]}"#,
    #"{"type":"server_tool_use","id":"srvtoolu_6","name":"tool_search_tool_regex","input":{"pattern":"a"}}"#,
    #"{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_6","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"a"}]}}"#,
    #"{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"s","input":{"a":1.0}}"#,
    #"{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"x"}]}"#,
    #"{"type":"container_upload","file_id":"file_1"}"#,
    #"{"type":"compaction","content":"Shorter.","encrypted_content":"e","signature":"s"}"#,
    #"{"type":"fallback","from":{"model":"a"},"to":{"model":"b"},"trigger":"overloaded"}"#,
    #"{"type":"advisor_tool_result","tool_use_id":"srvtoolu_9","content":{"odd":[1e2]}}"#,
    #"{"type":"of_next_year","odd":{"a":null,"b":1.50}}"#,
  ]

  @Test func `every block of Anthropic's goes back as it came`() async throws {
    var data = [#"{"type":"message_start","message":{"id":"msg_1","content":[],"usage":{"input_tokens":1}}}"#]
    for (index, block) in Self.anthropic.enumerated() {
      data.append(#"{"type":"content_block_start","index":\#(index),"content_block":\#(block)}"#)
      data.append(#"{"type":"content_block_delta","index":\#(index),"delta":{"type":"later_delta","x":1}}"#)
      data.append(#"{"type":"later_event","index":\#(index)}"#)
      data.append(#"{"type":"content_block_stop","index":\#(index)}"#)
    }
    data += [
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn","container":{"id":"c"}},"usage":{"output_tokens":5},"context_management":{"applied_edits":[]}}"#,
      #"{"type":"message_stop"}"#,
    ]
    let body = data.map { "event: x\ndata: \($0)\n\n" }.joined()
    let blocks = try await blocks(body) { Anthropic(key: nil, transport: $0) }
    let json = try Anthropic(key: nil, transport: ReplayTransport([])).httpRequest(for: history(blocks)).json
    let sent = json["messages"]?[1]?["content"]?.arrayValue ?? []
    #expect(sent.map { $0.text() } == Self.anthropic)
  }

  @Test func `input of a server's tool in pieces, and a compaction in one`() async throws {
    let body = stream(
      #"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1}}}"#,
      #"{"type":"content_block_start","index":0,"content_block":{"type":"mcp_tool_use","id":"m","name":"n","server_name":"s","input":{}}}"#,
      #"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#,
      #"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"[1]}"}}"#,
      #"{"type":"content_block_stop","index":0}"#,
      #"{"type":"content_block_start","index":1,"content_block":{"type":"compaction","content":null}}"#,
      #"{"type":"content_block_delta","index":1,"delta":{"type":"compaction_delta","content":"Short.","encrypted_content":"e"}}"#,
      #"{"type":"content_block_stop","index":1}"#,
      #"{"type":"message_delta","delta":{"stop_reason":"compaction"},"usage":{"output_tokens":5}}"#,
      #"{"type":"message_stop"}"#)
    let blocks = try await blocks(body) { Anthropic(key: nil, transport: $0) }
    let values = blocks.compactMap { if case .opaque(let opaque) = $0.kind { opaque.value } else { nil } }
    #expect(values[0]["input"] == ["a": [1]])
    #expect(values[1] == ["type": "compaction", "content": "Short.", "encrypted_content": "e"])
  }

  @Test func `a result names the toolset of its call`() throws {
    let call = ContentBlock(
      .toolCall(ToolCall(id: "toolu_1", name: "click", arguments: [:])),
      extra: BlockExtra(provider: "anthropic", value: ["toolset_name": "browser", "caller": ["type": "direct"]]))
    let request = ModelRequest(
      messages: [
        .user("Hi"), Message(role: .assistant, content: [call]),
        .tool(result: "done", callId: "toolu_1", name: "click"),
      ])
    let json = try Anthropic(key: nil, transport: ReplayTransport([])).httpRequest(for: request).json
    #expect(json["messages"]?[1]?["content"]?[0]?["toolset_name"] == "browser")
    #expect(json["messages"]?[1]?["content"]?[0]?["caller"]?["type"] == "direct")
    #expect(json["messages"]?[2]?["content"]?[0]?["toolset_name"] == "browser")
  }

  @Test func `text without words stays where it is cited, and a user's text has no citations`() throws {
    let cited = ContentBlock(
      .text(" "), extra: BlockExtra(provider: "anthropic", value: ["citations": [["type": "char_location"]]]))
    let request = ModelRequest(
      messages: [
        Message(role: .user, content: [.text("Hi"), cited]), Message(role: .assistant, content: [cited, .text(" ")]),
        .user("Go on"),
      ])
    let json = try Anthropic(
      key: nil, configuration: .init(version: .v2026_10_21), transport: ReplayTransport([])
    ).httpRequest(for: request).json
    #expect(json["messages"]?[0]?["content"]?.arrayValue?.count == 1)
    #expect(
      json["messages"]?[1]?["content"]
        == [["type": "text", "text": " ", "citations": [["type": "char_location"]]]])
    #expect(AnthropicRules.check(AnthropicRequest(json, version: "2026-10-21")) == [])
  }

  // MARK: - OpenAI

  static let items: [String] = [
    #"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}}"#,
    #"{"type":"file_search_call","id":"fs_1","status":"completed","queries":["x"],"results":[]}"#,
    #"{"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"1","container_id":"c","outputs":[]}"#,
    #"{"type":"image_generation_call","id":"ig_1","status":"completed","result":"aGk="}"#,
    #"{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[]}"#,
    #"{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"n","arguments":"{}","output":"x"}"#,
    #"{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"n","arguments":"{}"}"#,
    #"{"type":"shell_call","id":"sh_1","call_id":"call_s","status":"completed","action":{"commands":["ls"]}}"#,
    #"{"type":"shell_call_output","id":"sho_1","call_id":"call_s","output":[]}"#,
    #"{"type":"compaction","id":"cmp_1","encrypted_content":"e"}"#,
    #"{"type":"program","id":"prg_1","call_id":"p","code":"1"}"#,
    #"{"type":"program_output","id":"pro_1","call_id":"p","result":"1"}"#,
    #"{"type":"of_next_year","id":"x_1","odd":[1.50]}"#,
  ]

  @Test func `every item of OpenAI's goes back as it came`() async throws {
    var data = [#"{"type":"response.created","sequence_number":0,"response":{"status":"in_progress"}}"#]
    func add(_ event: String) {
      data.append(event.replacing("}$", with: #","sequence_number":\#(data.count)}"#))
    }
    for (index, item) in Self.items.enumerated() {
      add(#"{"type":"response.output_item.added","output_index":\#(index),"item":\#(item)}$"#)
      for name in [
        "response.web_search_call.searching", "response.file_search_call.completed",
        "response.code_interpreter_call_code.delta", "response.code_interpreter_call.interpreting",
        "response.image_generation_call.partial_image", "response.mcp_call_arguments.delta",
        "response.mcp_list_tools.in_progress", "response.shell_call_command.delta",
        "response.shell_call_output_content.delta", "response.apply_patch_call_operation_diff.delta",
        "response.audio.delta", "response.audio.transcript.delta", "response.compaction.compacting",
        "response.of_next_year.delta", "response.output_text.annotation.added",
      ] {
        add(#"{"type":"\#(name)","output_index":\#(index),"delta":"x"}$"#)
      }
      add(#"{"type":"response.output_item.done","output_index":\#(index),"item":\#(item)}$"#)
    }
    add(
      #"{"type":"response.completed","response":{"status":"completed","output":[\#(Self.items.joined(separator: ","))],"usage":{"input_tokens":1,"output_tokens":1}}}$"#
    )
    let body = data.map { "event: x\ndata: \($0)\n\n" }.joined()
    let blocks = try await blocks(body) { OpenAIResponses("gpt-5.5", key: nil, transport: $0) }
    let json = try OpenAIResponses("gpt-5.5", key: nil, transport: ReplayTransport([])).httpRequest(
      for: history(blocks)
    ).json
    let sent = (json["input"]?.arrayValue ?? []).dropFirst().dropLast()
    #expect(sent.map { $0.text() } == Self.items)
  }

  // MARK: - Gemini

  static let parts: [String] = [
    #"{"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"c2ln"}"#,
    #"{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}"#,
    #"{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["x"]},"id":"t1"},"thoughtSignature":"c2ln"}"#,
    #"{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","response":{},"id":"t1"}}"#,
    #"{"fileData":{"mimeType":"image/png","fileUri":"https://x"}}"#,
    #"{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},"thoughtSignature":"c2ln"}"#,
    #"{"text":"Hi","thoughtSignature":"c2ln","partMetadata":{"a":1.50}}"#,
    #"{"functionCall":{"id":"f1","name":"echo","args":{"a":1.50}},"thoughtSignature":"c2ln"}"#,
    #"{"ofNextYear":{"odd":[1.50]}}"#,
  ]

  @Test func `every part of Gemini's goes back as it came`() async throws {
    let chunks =
      Self.parts.map {
        #"{"candidates":[{"content":{"parts":[\#($0)],"role":"model"},"index":0,"ofNextYear":1}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":2},"modelStatus":{"a":1}}"#
      } + [#"{"candidates":[{"finishReason":"STOP","groundingMetadata":{"a":1},"index":0}]}"#]
    let body = chunks.map { "data: \($0)\n\n" }.joined()
    let blocks = try await blocks(body) { Gemini("gemini-3-flash", key: nil, transport: $0) }
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: blocks), .tool(result: "x", callId: "f1", name: "echo"),
    ]
    let json = try Gemini("gemini-3-flash", key: nil, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: messages)
    ).json
    let sent = json["contents"]?[1]?["parts"]?.arrayValue ?? []
    #expect(sent == (try Self.parts.map { try JSONValue(parsing: $0) }))
    #expect(json["contents"]?[2]?["parts"]?[0]?["functionResponse"]?["id"] == "f1")
  }

  // MARK: - Chat Completions

  @Test func `what chunks have beyond the protocol is passed over`() async throws {
    let chunks = [
      #"{"id":"","object":"","choices":[],"prompt_filter_results":[{"prompt_index":0}],"moderation":{}}"#,
      #"{"id":"c","object":"chat.completion.chunk","service_tier":"x","obfuscation":"aaa","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null,"audio":{"id":"a","data":""},"token_id":7},"logprobs":{"content":[]},"content_filter_results":{},"stop_reason":null,"token_ids":null}],"usage":null}"#,
      #"{"choices":[{"index":0,"delta":{"content":"Hi","provider_specific_fields":{"a":1},"of_next_year":[1]},"finish_reason":null}]}"#,
      #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"x","matched_stop":1}]}"#,
      #"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4,"cost":0.1},"x_of_next_year":{}}"#,
      "[DONE]",
    ]
    let body = chunks.map { "data: \($0)\n\n" }.joined()
    let blocks = try await blocks(body) { OpenAIChat("gpt-5.5", key: nil, transport: $0) }
    #expect(blocks.map(\.text) == ["Hi"])
  }
}
