/// Who makes a request.
public struct MCPCaller: Sendable, Hashable {
  /// The name that the caller has proved to have, where that was asked for: of a user, of a client. What belongs to one
  /// caller is not shown to another.
  public var principal: String?
  /// What it may do.
  public var scopes: Set<String>

  /// A caller; nobody in particular by default.
  public init(principal: String? = nil, scopes: Set<String> = []) {
    self.principal = principal
    self.scopes = scopes
  }

  /// Who a token was issued to: the person it acts for, else the client.
  public init(_ grant: AccessGrant) {
    self.init(principal: grant.subject ?? grant.clientID, scopes: Set(grant.scopes))
  }
}
