public import MartletJSON

/// What a server says about a tool's manners. It may lie: let a policy decide whom to believe.
public struct MCPToolAnnotations: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// Annotations; what is nil is left to the defaults of the protocol.
  public init(
    title: String? = nil, isReadOnly: Bool? = nil, isDestructive: Bool? = nil, isIdempotent: Bool? = nil,
    isOpenWorld: Bool? = nil
  ) {
    fields = JSONObject(present: ["title": .text(title)])
    fields[bool: "readOnlyHint"] = isReadOnly
    fields[bool: "destructiveHint"] = isDestructive
    fields[bool: "idempotentHint"] = isIdempotent
    fields[bool: "openWorldHint"] = isOpenWorld
  }

  /// A name for people; `MCPTool.title` comes first.
  public var title: String? { fields[string: "title"] }
  /// It changes nothing. Default: false.
  public var isReadOnly: Bool { fields[bool: "readOnlyHint"] ?? false }
  /// It may take something away. Default: true, and false for a tool that only reads.
  public var isDestructive: Bool { !isReadOnly && fields[bool: "destructiveHint"] ?? true }
  /// Calling it twice is as calling it once. Default: false, and true for a tool that only reads.
  public var isIdempotent: Bool { isReadOnly || fields[bool: "idempotentHint"] ?? false }
  /// It deals with more than the server's own things. Default: true.
  public var isOpenWorld: Bool { fields[bool: "openWorldHint"] ?? true }
}
