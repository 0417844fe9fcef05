public import MartletJSON

/// What a protected server says about itself (RFC 9728).
public struct ProtectedResourceMetadata: Sendable, Hashable {
  /// The identifier of the resource, which tokens are issued for: the server's URL, or one above it.
  public var resource: String
  /// The issuers of authorization servers that it takes tokens from; at least one.
  public var authorizationServers: [String]
  /// The scopes that its basic functions need.
  public var scopesSupported: [String]?
  /// Its name for people.
  public var name: String?
  /// Where people read about it.
  public var documentation: String?

  /// What a server says about itself.
  public init(
    resource: String, authorizationServers: [String], scopesSupported: [String]? = nil, name: String? = nil,
    documentation: String? = nil
  ) {
    self.resource = resource
    self.authorizationServers = authorizationServers
    self.scopesSupported = scopesSupported
    self.name = name
    self.documentation = documentation
  }

  /// Reads a document; unknown members are ignored, members of a wrong kind count as missing.
  /// - Throws: ``AuthorizationError`` when the resource or the authorization servers are missing.
  init(_ document: JSONValue) throws(AuthorizationError) {
    guard let resource = document["resource"]?.stringValue else {
      throw AuthorizationError(.invalidResponse, "The metadata of the server names no resource.")
    }
    let servers = document["authorization_servers"]?.strings ?? []
    guard !servers.isEmpty else {
      throw AuthorizationError(.discoveryFailed, "The metadata of the server names no authorization server.")
    }
    self.init(
      resource: resource, authorizationServers: servers, scopesSupported: document["scopes_supported"]?.strings,
      name: document["resource_name"]?.stringValue, documentation: document["resource_documentation"]?.stringValue)
  }

  /// The document.
  public var document: JSONValue {
    var object: JSONObject = [
      "resource": .string(resource), "authorization_servers": .array(authorizationServers.map(JSONValue.string)),
      "bearer_methods_supported": ["header"],
    ]
    if let scopesSupported { object["scopes_supported"] = .array(scopesSupported.map(JSONValue.string)) }
    if let name { object["resource_name"] = .string(name) }
    if let documentation { object["resource_documentation"] = .string(documentation) }
    return .object(object)
  }

  /// Whether the document is about a server: the same origin, and the server's path or one above it. A slash at the end
  /// makes no difference; nothing else is normalised.
  func isAbout(_ server: WebAddress) -> Bool {
    guard let address = WebAddress(resource), address.origin == server.origin, address.query == nil,
      !resource.contains("#")
    else { return false }
    let mine = server.path.hasSuffix("/") ? String(server.path.dropLast()) : server.path
    let its = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    return mine == its || mine.hasPrefix(its + "/")
  }
}

extension JSONValue {
  /// The strings of an array; `nil` for anything else.
  var strings: [String]? {
    guard let values = arrayValue else { return nil }
    return values.compactMap(\.stringValue)
  }
}
