/// Thrown by ``MCPHTTPHandler/Configuration/authorize`` for a request that is not let in.
public struct MCPAccessDenied: Error, Sendable, Hashable {
  /// 401 for missing or bad credentials, 403 for credentials that do not allow it.
  public var status: Int
  /// The value of `WWW-Authenticate`: where to get credentials, and for what.
  public var challenge: String?

  /// A request that is not let in.
  public init(status: Int = 401, challenge: String? = nil) {
    self.status = status
    self.challenge = challenge
  }
}
