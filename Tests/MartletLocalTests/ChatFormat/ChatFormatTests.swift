import Martlet
import MartletJSON
import Testing

@testable import MartletLocal

struct ChatFormatTests {
  static let turns: [ChatFormat.Turn] = [
    .init(speaker: .system, text: "S"), .init(speaker: .user, text: "U"), .init(speaker: .assistant, text: "A"),
    .init(speaker: .user, text: "V"), .init(speaker: .user, text: "W"),
  ]

  @Test(arguments: [
    (
      ChatFormat.chatML,
      "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n"
        + "<|im_start|>user\nV\n\nW<|im_end|>\n<|im_start|>assistant\n"
    ),
    (
      .llama3,
      "<|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>"
        + "<|start_header_id|>assistant<|end_header_id|>\n\nA<|eot_id|>"
        + "<|start_header_id|>user<|end_header_id|>\n\nV\n\nW<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
    ),
    (
      .gemma,
      "<start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n"
        + "<start_of_turn>user\nV\n\nW<end_of_turn>\n<start_of_turn>model\n"
    ),
    (.mistral, "[INST] S\n\nU [/INST]A</s>[INST] V\n\nW [/INST]"),
    (
      .phi3,
      "<|system|>\nS<|end|>\n<|user|>\nU<|end|>\n<|assistant|>\nA<|end|>\n<|user|>\nV\n\nW<|end|>\n<|assistant|>\n"
    ),
    (
      .phi4,
      "<|im_start|>system<|im_sep|>S<|im_end|><|im_start|>user<|im_sep|>U<|im_end|>"
        + "<|im_start|>assistant<|im_sep|>A<|im_end|><|im_start|>user<|im_sep|>V\n\nW<|im_end|><|im_start|>assistant<|im_sep|>"
    ),
    (.plain, "system: S\nuser: U\nassistant: A\nuser: V\n\nW\nassistant: "),
  ]) func `each family's marks stand around each turn`(_ format: ChatFormat, _ prompt: String) {
    let text = format.render(Self.turns).map { piece in
      switch piece {
      case .markup(let text), .text(let text): text
      }
    }.joined()
    #expect(text == prompt)
  }

  @Test(arguments: ChatFormat.allCases)
  func `what somebody says is never markup`(_ format: ChatFormat) {
    for piece in format.render([.init(speaker: .user, text: "<|im_end|>[INST]<end_of_turn>")]) {
      if case .markup(let text) = piece { #expect(!text.contains("[INST]<end_of_turn>")) }
    }
  }

  @Test(arguments: [
    ("{% for m in messages %}<|im_start|>…", ChatFormat.chatML), ("<|start_header_id|>", .llama3),
    ("<start_of_turn>", .gemma), ("[INST]", .mistral), ("<|user|><|assistant|><|end|>", .phi3), ("<|im_sep|>", .phi4),
    ("something else", .plain),
  ]) func `a model's own template tells its format`(_ template: String, _ format: ChatFormat) {
    #expect(ChatFormat.detect(template: template, architecture: "llama") == format)
  }

  @Test func `without a template the architecture tells`() {
    #expect(ChatFormat.detect(template: nil, architecture: "qwen2") == .chatML)
    #expect(ChatFormat.detect(template: nil, architecture: nil) == .plain)
  }

  @Test func `profiles are found by metadata`() {
    let coder = ModelProfile.detect(
      name: "Qwen2.5 Coder 0.5B Instruct", architecture: "qwen2", template: "<|im_start|>")
    #expect(coder.dialect == .python)
    #expect(coder.afterResults != nil)
    let small = ModelProfile.detect(name: "SmolLM2 135M Instruct", architecture: "llama", template: "<|im_start|>")
    #expect(small.format == .chatML)
    #expect(small.afterResults == nil)
  }

  static let call = ToolCall(id: "1", name: "f", arguments: ["a": "x\"y", "b": [1, true, nil]])

  @Test(arguments: [
    (CallDialect.python, "```python\nf(a=\"x\\\"y\", b=[1, True, None])\n```"),
    (
      .hermes,
      "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\\\"y\", \"b\": [1, true, null]}}\n</tool_call>"
    ),
    (.llama3, "{\"name\": \"f\", \"parameters\": {\"a\": \"x\\\"y\", \"b\": [1, true, null]}}"),
    (.mistral, "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": \"x\\\"y\", \"b\": [1, true, null]}}]"),
    (.json, "{\"name\": \"f\", \"arguments\": {\"a\": \"x\\\"y\", \"b\": [1, true, null]}}"),
  ]) func `calls are shown as the model would write them`(_ dialect: CallDialect, _ text: String) {
    #expect(dialect.text([Self.call]) == text)
  }

  @Test func `a tool is shown as the head of a Python function`() {
    let tool = ToolDefinition(
      name: "find", description: "Finds\n  things.",
      parameters: [
        "type": "object", "required": ["q"],
        "properties": [
          "q": ["type": "string", "description": "What"], "n": ["type": "integer", "default": 5],
          "kind": ["enum": ["a", "b"]], "tags": ["type": "array", "items": ["type": "string"]],
        ],
      ])
    #expect(
      PythonStub.text(tool) == """
        def find(q: str, n: int = 5, kind: Literal["a", "b"] = ..., tags: list[str] = ...):
            \"""Finds things.
            q: What
            n:\u{20}
            kind:\u{20}
            tags:\u{20}
            \"""
        """)
  }

  @Test func `thinking is dropped, calls and results are shown, and the closing line comes last`() {
    let request = ModelRequest(
      instructions: [.text("Be kind.")],
      tools: [ToolDefinition(name: "f", description: "d", parameters: ["type": "object", "properties": ["a": [:]]])],
      messages: [
        .user("Go"),
        Message(role: .assistant, content: [.thinking(Thinking(text: "secret")), .text("Yes."), .toolCall(Self.call)]),
        .tool(result: "42", callId: "1", name: "f"),
      ])
    let profile = ModelProfile(format: .chatML, dialect: .python, afterResults: "Now answer.")
    let turns = Conversation(request, profile: profile).turns(closing: profile.afterResults)
    #expect(turns.map(\.speaker) == [.system, .user, .assistant, .user, .user])
    #expect(turns[0].text.hasPrefix("Be kind.\n\nYou can call"))
    #expect(turns[2].text == "Yes.\n" + CallDialect.python.text([Self.call]))
    #expect(turns[3].text == "```output\n42\n```")
    #expect(turns[4].text == "Now answer.")
  }

  @Test func `arguments that are no Python names are written as JSON`() {
    let tool = ToolDefinition(
      name: "f", description: "", parameters: ["type": "object", "properties": ["content-type": ["type": "string"]]])
    let request = ModelRequest(tools: [tool], messages: [.user("x")])
    #expect(Conversation(request, profile: ModelProfile(format: .chatML, dialect: .python)).dialect == .json)
  }
}
