public import MartletJSON

/// The session of a subagent that a call starts.
public struct ChildSession: Sendable, Hashable, JSONConvertible {
  /// The child's session id.
  public var session: String

  /// A child.
  public init(session: String) { self.session = session }

  public init(json: JSONValue) throws { session = try JSONFields(json).string("session") }

  public var json: JSONValue { ["session": .string(session)] }
}
