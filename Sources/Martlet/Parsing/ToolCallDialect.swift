/// The form in which a model writes its tool calls. Which one a model speaks is decided by its chat template.
public enum ToolCallDialect: String, Sendable, Hashable, CaseIterable {
  /// Whatever cannot be mistaken: all markers of the other dialects, and JSON that names an offered tool.
  case auto
  /// `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen 2.5 and 3, SmolLM.
  case hermes
  /// `<|python_tag|>`, `<function=name>{…}</function>`, bare JSON with `name` and `parameters`, and lists of Python calls:
  /// Llama 3 and later.
  case llama3
  /// JSON with or without a fence that names an offered tool, in any of the usual shapes, such as
  /// `{"tool_calls": [{"function": …, "arguments": …}]}`.
  case json
  /// `[TOOL_CALLS]` with a list, or with a name and `[ARGS]`; `[THINK]`.
  case mistral
  /// `<｜tool▁calls▁begin｜>`: DeepSeek V3, R1, V3.1, and the markup of V3.2 and later.
  case deepSeek
  /// Python in a `tool_code` fence and JSON (Gemma 3), `<|tool_call>call:name{…}` (Gemma 4), FunctionGemma.
  case gemma
  /// `<|tool_call|>[…]` and `<tool_call>[…]`: Granite 3; Granite 4 speaks Hermes.
  case granite
  /// `<|tool_call|>…<|/tool_call|>` and `functools[…]`: Phi 4.
  case phi
  /// `<|START_ACTION|>[…]<|END_ACTION|>`, and `Action:` with a fence: Command R, R7B and A.
  case commandR
  /// `<tool_call>name`, `<arg_key>` and `<arg_value>`: GLM 4.5 and later.
  case glm
  /// `<|tool_calls_section_begin|>`: Kimi K2.
  case kimi
  /// `<minimax:tool_call><invoke name=…>`: MiniMax M1 and M2.
  case miniMax
  /// `<tool_call><function=name><parameter=key>`: Qwen 3 Coder, Seed OSS.
  case qwenCoder
  /// Channels and recipients: gpt-oss.
  case harmony
}
