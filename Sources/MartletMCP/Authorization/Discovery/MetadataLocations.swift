/// Where metadata is looked for, in order.
enum MetadataLocations {
  /// Of a protected server (RFC 9728, 3.1): below its path, then at the root. What its challenge names comes before.
  static func resource(_ server: WebAddress) -> [String] {
    let name = "/.well-known/oauth-protected-resource"
    let path = trimmed(server.path)
    let root = server.with(path: name).text
    return path.isEmpty ? [root] : [server.with(path: name + path).text, root]
  }

  /// Of an authorization server: RFC 8414 with the path behind the well-known name, OpenID Connect likewise, and
  /// OpenID Connect with its name behind the path.
  static func authorizationServer(_ issuer: WebAddress) -> [String] {
    let path = trimmed(issuer.path)
    let inserted = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"].map { $0 + path }
    let appended = path.isEmpty ? [] : [path + "/.well-known/openid-configuration"]
    return (inserted + appended).map { issuer.with(path: $0).text }
  }

  private static func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
