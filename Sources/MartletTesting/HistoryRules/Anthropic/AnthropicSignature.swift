import MartletJSON

/// Signatures for simulated thinking that is bound to its conversation, as newer models' is: to the instructions, the
/// tools and all earlier messages. Cache markers may move, thinking before it may be dropped, and tools that are loaded
/// later may be added.
public enum AnthropicSignature {
  private static let prefix = "bound."

  /// The signature of thinking that a reply to this request begins with.
  public static func bound(to request: AnthropicRequest) -> String {
    bound(to: request, before: request.messages.count)
  }

  /// Whether a signature was made here.
  static func isBound(_ signature: String) -> Bool { signature.hasPrefix(prefix) }

  static func bound(to request: AnthropicRequest, before message: Int) -> String {
    let messages = request.messages.prefix(message).map { message -> JSONValue in
      let blocks = AnthropicRequest.blocks(message["content"]).filter {
        $0.type != "thinking" && $0.type != "redacted_thinking"
      }
      return ["role": message["role"] ?? .null, "content": .array(blocks)]
    }
    let tools = request.tools.filter { $0["defer_loading"] != true }
    let conversation: JSONValue = [
      "system": .array(AnthropicRequest.blocks(request.json["system"])), "tools": .array(tools),
      "messages": .array(messages),
    ]
    return prefix + digest(conversation.removing("cache_control").bytes(.canonical))
  }

  /// FNV-1a in two variants: enough to tell conversations of a test apart.
  private static func digest(_ bytes: [UInt8]) -> String {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x6C62_272E_07BB_0142
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      second = (second &+ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    }
    return String(first, radix: 36) + String(second, radix: 36)
  }
}
