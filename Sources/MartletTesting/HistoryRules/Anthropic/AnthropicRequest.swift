public import MartletJSON

/// A request to the Messages API as its rules see it: neighbours of one role merged, content as blocks.
public struct AnthropicRequest: Sendable {
  /// A content block and where it stands in the request.
  struct Block: Sendable {
    let json: JSONValue
    let message: Int
    let index: Int

    var type: String { json.type }
    var path: String { "messages.\(message).content.\(index)" }
    var isResult: Bool { type == "tool_result" }
    var isThinking: Bool { type == "thinking" || type == "redacted_thinking" }
    /// A block of a tool that the provider runs itself.
    var isServerTool: Bool {
      type == "server_tool_use" || type == "mcp_tool_use" || (type.hasSuffix("_tool_result") && !isResult)
    }
  }

  /// Neighbouring messages of one role, which the server takes as one.
  struct Turn: Sendable {
    let role: String
    var blocks: [Block]
    /// The first and the last message of it.
    let first: Int
    var last: Int
  }

  let json: JSONValue
  let profile: AnthropicModelProfile
  /// The `anthropic-version` header.
  let version: String
  /// Contents of replies that the service gave, to recognise changed thinking.
  let issued: [[JSONValue]]
  let messages: [JSONValue]
  let turns: [Turn]

  /// A request.
  /// - Parameters:
  ///   - json: The body.
  ///   - version: The `anthropic-version` header.
  ///   - profile: What the model accepts; by default by the model's name.
  ///   - issued: The `content` of replies the service gave in this conversation. Without them changed thinking goes
  ///     unnoticed.
  public init(
    _ json: JSONValue, version: String = "2023-06-01", profile: AnthropicModelProfile? = nil,
    issued: [[JSONValue]] = []
  ) {
    self.json = json
    self.version = version
    self.profile = profile ?? AnthropicModelProfile(model: json.text("model") ?? "")
    self.issued = issued
    messages = json.elements("messages")
    var turns: [Turn] = []
    for (number, message) in messages.enumerated() {
      let role = message.text("role") ?? ""
      let blocks = Self.blocks(message["content"]).enumerated().map {
        Block(json: $0.element, message: number, index: $0.offset)
      }
      if let last = turns.indices.last, turns[last].role == role {
        turns[last].blocks += blocks
        turns[last].last = number
      } else {
        turns.append(Turn(role: role, blocks: blocks, first: number, last: number))
      }
    }
    self.turns = turns
  }

  /// The blocks of a content, which may be a string.
  static func blocks(_ content: JSONValue?) -> [JSONValue] {
    switch content {
    case .string(let text)?: [["type": "text", "text": .string(text)]]
    case .array(let blocks)?: blocks
    default: []
    }
  }

  var blocks: [Block] { turns.flatMap(\.blocks) }
  var tools: [JSONValue] { json.elements("tools") }
  var toolNames: [String] { tools.compactMap { $0.text("name") } }
  var thinkingType: String? { json["thinking"]?.text("type") }

  /// Whether the newest version of the API is asked for.
  var isNewVersion: Bool { version >= "2026-10-21" }
}
