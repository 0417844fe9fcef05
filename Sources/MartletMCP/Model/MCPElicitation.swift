public import MartletJSON

/// How a server asks the user.
public enum MCPElicitationMode: String, Sendable, Hashable {
  /// With a form.
  case form
  /// By an address to go to.
  case url
}

/// A server's question to the user.
public struct MCPElicitationRequest: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// A form: a flat object of texts, numbers, truth values and choices.
  public init(message: String, schema: JSONValue) {
    fields = ["mode": "form", "message": .string(message), "requestedSchema": schema]
  }

  /// An address. `id` is needed up to 2025-11-25.
  public init(message: String, url: String, id: String? = nil) {
    fields = JSONObject(present: [
      "mode": "url", "message": .string(message), "url": .string(url), "elicitationId": .text(id),
    ])
  }

  /// How it asks.
  public var mode: MCPElicitationMode { fields[string: "mode"] == "url" ? .url : .form }
  /// The question.
  public var message: String { fields[string: "message"] ?? "" }
  /// The JSON Schema of the form.
  public var schema: JSONValue { fields["requestedSchema"] ?? ["type": "object", "properties": [:]] }
  /// The address. Show all of it, ask before it is opened, and load nothing beforehand.
  public var url: String? { fields[string: "url"] }
  /// What the end of a visit is told by, up to 2025-11-25.
  public var id: String? { fields[string: "elicitationId"] }

  /// The defaults that the form has for its fields.
  public var defaults: JSONObject {
    var defaults = JSONObject()
    for (name, field) in schema["properties"]?.objectValue ?? [:] {
      if let value = field["default"] { defaults[name] = value }
    }
    return defaults
  }
}

/// The user's answer.
public struct MCPElicitationResult: MCPObject {
  /// What the user did.
  public enum Action: String, Sendable, Hashable {
    /// Answered, or agreed to go to the address.
    case accept
    /// Said no.
    case decline
    /// Left without an answer.
    case cancel
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  private init(_ action: Action, content: JSONObject? = nil) {
    fields = JSONObject(present: ["action": .string(action.rawValue), "content": content.map { .object($0) }])
  }

  /// An answer. Fields that it leaves out get the defaults of the form.
  public static func accept(_ content: JSONObject) -> Self { Self(.accept, content: content) }
  /// The user agreed to go to the address.
  public static let accept = Self(.accept)
  /// The user said no.
  public static let decline = Self(.decline)
  /// The user left without an answer.
  public static let cancel = Self(.cancel)

  /// What the user did; nil for something the protocol does not know.
  public var action: Action? { fields[string: "action"].flatMap(Action.init(rawValue:)) }
  /// The answer; empty unless the user accepted a form.
  public var content: JSONObject { fields[object: "content"] ?? [:] }
}
