public import MartletJSON

/// A prompt that a server offers, to be filled in.
public struct MCPPrompt: MCPObject {
  /// One of its blanks.
  public struct Argument: MCPObject {
    public var fields: JSONObject
    public init(fields: JSONObject) { self.fields = fields }
    public static var requiredStrings: [String] { ["name"] }

    /// An argument.
    public init(name: String, title: String? = nil, description: String? = nil, isRequired: Bool = false) {
      fields = JSONObject(present: [
        "name": .string(name), "title": .text(title), "description": .text(description),
      ])
      if isRequired { fields["required"] = true }
    }

    /// Its name.
    public var name: String { fields[string: "name"] ?? "" }
    /// A name for people.
    public var title: String? { fields[string: "title"] }
    /// What goes there.
    public var description: String? { fields[string: "description"] }
    /// Whether the prompt cannot do without it.
    public var isRequired: Bool { fields[bool: "required"] ?? false }
  }

  /// One message of a filled-in prompt.
  public struct Message: MCPObject {
    public var fields: JSONObject
    public init(fields: JSONObject) { self.fields = fields }

    /// A message of `user` or `assistant`.
    public init(role: String = "user", _ content: MCPContent) {
      fields = ["role": .string(role), "content": content.json]
    }

    /// `user` or `assistant`.
    public var role: String { fields[string: "role"] ?? "user" }
    /// What is said.
    public var content: MCPContent? { fields[view: "content"] }
  }

  /// A filled-in prompt.
  public struct Result: MCPObject {
    public var fields: JSONObject
    public init(fields: JSONObject) { self.fields = fields }

    /// A filled-in prompt.
    public init(_ messages: [Message], description: String? = nil) {
      fields = JSONObject(present: ["description": .text(description), "messages": .objects(messages)])
    }

    /// What it is for.
    public var description: String? { fields[string: "description"] }
    /// The messages, in order.
    public var messages: [Message] { fields[views: "messages"] }
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["name"] }

  /// A prompt.
  public init(
    name: String, title: String? = nil, description: String? = nil, arguments: [Argument] = [], icons: [MCPIcon] = []
  ) {
    fields = JSONObject(present: ["name": .string(name), "title": .text(title), "description": .text(description)])
    if !arguments.isEmpty { fields[views: "arguments"] = arguments }
    if !icons.isEmpty { fields[views: "icons"] = icons }
  }

  /// Its name.
  public var name: String { fields[string: "name"] ?? "" }
  /// A name for people.
  public var title: String? { fields[string: "title"] }
  /// What it is for.
  public var description: String? { fields[string: "description"] }
  /// Its blanks.
  public var arguments: [Argument] { fields[views: "arguments"] }
  /// Its icons.
  public var icons: [MCPIcon] { fields[views: "icons"] }
}
