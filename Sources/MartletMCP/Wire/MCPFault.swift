/// Something that arrived and is no message.
public struct MCPFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of message it seems to have been.
  public enum Role: Sendable, Hashable {
    /// It wants an answer.
    case request
    /// It is an answer.
    case reply
    /// Nobody knows.
    case unknown
  }

  /// What a peer that sent it as a request is told.
  public var error: MCPErrorObject
  /// Its id, where that can be read.
  public var id: MCPRequestID?
  /// What it seems to have been.
  public var role: Role
  /// Bytes of it.
  public var size: Int
  /// Whether it was larger than the limit.
  public var isTooLarge: Bool

  init(
    _ code: MCPErrorCode, _ message: String, id: MCPRequestID? = nil, role: Role, size: Int, isTooLarge: Bool = false
  ) {
    error = MCPErrorObject(code, message)
    self.id = id
    self.role = role
    self.size = size
    self.isTooLarge = isTooLarge
  }

  public var description: String { error.message }
}
