/// How services say that a prompt does not fit the model's window, where no code says it. Most servers that speak another's
/// protocol answer with a plain "invalid request" and such words.
enum OverflowWording {
  private static let parts = [
    // Anthropic, also behind gateways that wrap its message.
    "prompt is too long", "exceed context limit", "exceeds the context window",
    // OpenAI, and what imitates it: vLLM, SGLang, Azure.
    "maximum context length", "context length exceeded", "context_length_exceeded", "context window", "context length",
    // Gemini and Vertex AI.
    "exceeds the maximum number of tokens",
    // llama.cpp, Ollama, LM Studio.
    "context size", "exceed_context_size_error",
    // Bedrock, Cohere, Mistral, xAI and others.
    "input is too long", "input length", "too many tokens", "exceeds the model's maximum", "maximum prompt length",
    "prompt contains too many tokens", "exceeds the limit of tokens", "reduce the length of the messages",
  ]

  /// Whether a message says that.
  static func matches(_ message: String) -> Bool {
    let text = message.lowercased()
    // A limit of tokens in a time is no limit of the window.
    guard !text.contains("per minute"), !text.contains("per day") else { return false }
    return parts.contains { text.contains($0) }
  }
}
