public import MartletJSON

/// A server's wish that the client's model says something.
public struct MCPSamplingRequest: MCPObject {
  /// One message of the conversation.
  public struct Message: MCPObject {
    public var fields: JSONObject
    public init(fields: JSONObject) { self.fields = fields }

    /// A message of one or more blocks.
    public init(role: String = "user", _ content: [MCPContent]) {
      fields = ["role": .string(role)]
      self.content = content
    }

    /// `user` or `assistant`.
    public var role: String { fields[string: "role"] ?? "user" }
    /// The blocks: the wire has one, or a list (2025-11-25 and later).
    public var content: [MCPContent] {
      get {
        if let one: MCPContent = fields[view: "content"] { return [one] }
        return fields[views: "content"]
      }
      set {
        if newValue.count == 1 { fields["content"] = newValue[0].json } else { fields[views: "content"] = newValue }
      }
    }
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// A wish for at most so many tokens.
  public init(_ messages: [Message], maxTokens: Int, systemPrompt: String? = nil) {
    fields = JSONObject(present: [
      "messages": .objects(messages), "systemPrompt": .text(systemPrompt), "maxTokens": JSONValue(maxTokens),
    ])
  }

  /// The conversation.
  public var messages: [Message] { fields[views: "messages"] }
  /// Instructions.
  public var systemPrompt: String? { fields[string: "systemPrompt"] }
  /// The most tokens of the answer.
  public var maxTokens: Int? { fields[int: "maxTokens"] }
  /// How freely the model chooses.
  public var temperature: Double? { fields[double: "temperature"] }
  /// Texts that end the answer.
  public var stopSequences: [String] { fields[strings: "stopSequences"] }
  /// Names or parts of names of models, the best first.
  public var modelHints: [String] {
    (fields["modelPreferences"]?["hints"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
  }
  /// Tools that the model may ask for (2025-11-25 and later).
  public var tools: [MCPTool] {
    get { fields[views: "tools"] }
    set { fields[views: "tools"] = newValue }
  }
  /// `auto`, `required` or `none`.
  public var toolChoice: String? { fields[object: "toolChoice"]?[string: "mode"] }
}

/// What the client's model said.
public struct MCPSamplingResult: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// An answer. `stopReason` is `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or the model's own word.
  public init(_ content: [MCPContent], model: String, stopReason: String = "endTurn", role: String = "assistant") {
    fields = ["role": .string(role)]
    fields["content"] = MCPSamplingRequest.Message(role: role, content).fields["content"]
    fields["model"] = .string(model)
    fields["stopReason"] = .string(stopReason)
  }

  /// The blocks of the answer.
  public var content: [MCPContent] { MCPSamplingRequest.Message(fields: fields).content }
  /// Which model answered.
  public var model: String { fields[string: "model"] ?? "" }
  /// Why it stopped.
  public var stopReason: String? { fields[string: "stopReason"] }
  /// The text of all text blocks.
  public var text: String { content.compactMap(\.text).joined(separator: "\n") }
}
