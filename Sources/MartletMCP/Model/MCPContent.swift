public import MartletJSON

/// One block of what a tool, a prompt or a model says.
public struct MCPContent: MCPObject {
  /// What sort of block it is. One that is not known here is kept as it came.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// Text.
    public static let text = Self(rawValue: "text")
    /// A picture, in base64.
    public static let image = Self(rawValue: "image")
    /// A sound, in base64.
    public static let audio = Self(rawValue: "audio")
    /// The address of a resource.
    public static let resourceLink = Self(rawValue: "resource_link")
    /// A resource with its contents.
    public static let resource = Self(rawValue: "resource")
    /// A call that a model asks for; in sampling only.
    public static let toolUse = Self(rawValue: "tool_use")
    /// The result of such a call; in sampling only.
    public static let toolResult = Self(rawValue: "tool_result")
  }

  /// The block, to switch over.
  public enum Value: Sendable, Hashable {
    /// Text.
    case text(String)
    /// A picture.
    case image(base64: String, mimeType: String)
    /// A sound.
    case audio(base64: String, mimeType: String)
    /// The address of a resource.
    case resourceLink(MCPResource)
    /// A resource with its contents.
    case resource(MCPResourceContents)
    /// A call that a model asks for.
    case toolUse(id: String, name: String, input: JSONObject)
    /// The result of such a call.
    case toolResult(id: String, MCPCallResult)
    /// A block of another kind, or one that lacks what its kind needs; it is in `fields`.
    case other
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["type"] }

  /// What sort of block it is.
  public var kind: Kind { Kind(rawValue: fields[string: "type"] ?? "") }

  /// The block, to switch over.
  public var value: Value {
    switch kind {
    case .text: fields[string: "text"].map { .text($0) } ?? .other
    case .image: media.map { .image(base64: $0, mimeType: $1) } ?? .other
    case .audio: media.map { .audio(base64: $0, mimeType: $1) } ?? .other
    case .resourceLink: (try? MCPResource(json: json)).map { .resourceLink($0) } ?? .other
    case .resource: fields[view: "resource"].map { .resource($0) } ?? .other
    case .toolUse:
      if let id = fields[string: "id"], let name = fields[string: "name"] {
        .toolUse(id: id, name: name, input: fields[object: "input"] ?? [:])
      } else {
        .other
      }
    case .toolResult: fields[string: "toolUseId"].map { .toolResult(id: $0, MCPCallResult(fields: fields)) } ?? .other
    default: .other
    }
  }

  private var media: (String, String)? {
    guard let data = fields[string: "data"] else { return nil }
    return (data, fields[string: "mimeType"] ?? "application/octet-stream")
  }

  /// The text of a text block.
  public var text: String? { kind == .text ? fields[string: "text"] : nil }
  /// For whom it is.
  public var annotations: MCPAnnotations? {
    get { fields[view: "annotations"] }
    set { fields[view: "annotations"] = newValue }
  }

  /// Text.
  public static func text(_ text: String) -> Self { Self(fields: ["type": "text", "text": .string(text)]) }
  /// A picture, in base64.
  public static func image(base64: String, mimeType: String) -> Self {
    Self(fields: ["type": "image", "data": .string(base64), "mimeType": .string(mimeType)])
  }
  /// A sound, in base64.
  public static func audio(base64: String, mimeType: String) -> Self {
    Self(fields: ["type": "audio", "data": .string(base64), "mimeType": .string(mimeType)])
  }
  /// The address of a resource.
  public static func link(to resource: MCPResource) -> Self {
    var fields: JSONObject = ["type": "resource_link"]
    fields.merge(resource.fields)
    return Self(fields: fields)
  }
  /// A resource with its contents.
  public static func resource(_ contents: MCPResourceContents) -> Self {
    Self(fields: ["type": "resource", "resource": contents.json])
  }
  /// A call that a model asks for.
  public static func toolUse(id: String, name: String, input: JSONObject) -> Self {
    Self(fields: ["type": "tool_use", "id": .string(id), "name": .string(name), "input": .object(input)])
  }
  /// The result of such a call.
  public static func toolResult(id: String, _ result: MCPCallResult) -> Self {
    var fields: JSONObject = ["type": "tool_result", "toolUseId": .string(id)]
    fields.merge(result.fields)
    return Self(fields: fields)
  }
}

extension MCPContent: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .text(value) }
}
