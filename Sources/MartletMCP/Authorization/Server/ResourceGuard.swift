public import Martlet
public import MartletHTTP
public import MartletJSON

/// Lets requests with a valid token in: the server's side of authorization.
public struct ResourceGuard: Sendable {
  /// What the server says about itself.
  public let metadata: ProtectedResourceMetadata
  private let address: WebAddress
  private let validator: any TokenValidator
  private let requiredScopes: [String]
  private let now: @Sendable () -> Timestamp

  /// A guard.
  /// - Parameters:
  ///   - metadata: its `resource` is the server's URL, which tokens must be issued for.
  ///   - validator: checks tokens.
  ///   - requiredScopes: what every request needs.
  ///   - now: the time of day.
  /// - Throws: ``AuthorizationError`` when the resource is no URL, or no authorization server is named.
  public init(
    metadata: ProtectedResourceMetadata, validator: any TokenValidator, requiredScopes: [String] = [],
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
  ) throws {
    guard let address = WebAddress(metadata.resource), address.query == nil, !metadata.resource.contains("#") else {
      throw AuthorizationError(.configuration, "The resource must be an absolute URL without query and fragment.")
    }
    guard !metadata.authorizationServers.isEmpty else {
      throw AuthorizationError(.configuration, "At least one authorization server must be named.")
    }
    self.metadata = metadata
    self.address = address
    self.validator = validator
    self.requiredScopes = requiredScopes
    self.now = now
  }

  /// The path at which clients look for ``document``, which everybody may read:
  /// `/.well-known/oauth-protected-resource` with the resource's path behind it (RFC 9728, 3.1).
  public var metadataPath: String { location.path }

  /// The metadata as a document, served as `application/json`.
  public var document: JSONValue { metadata.document }

  private var location: WebAddress {
    // There is always one.
    MetadataLocations.resource(address).first.flatMap { WebAddress($0) } ?? address
  }

  /// Checks a request.
  /// - Parameters:
  ///   - headers: the request's.
  ///   - scopes: what this request needs beyond what every one does.
  /// - Returns: what its token allows.
  /// - Throws: ``AccessRefusal``, or `CancellationError`.
  public func check(_ headers: HTTPHeaders, scopes: [String] = []) async throws -> AccessGrant {
    let needed = ScopeSet(requiredScopes + scopes)
    let given = headers.values(for: "authorization")
    guard given.count <= 1 else {
      throw refusal(400, "invalid_request", "The request has more than one Authorization header.", needed)
    }
    // Without credentials there is no error (RFC 6750, 3.1).
    guard let value = given.first else { throw refusal(401, nil, "A token is needed.", needed) }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw refusal(401, nil, "A bearer token is needed.", needed)
    }
    let token = words[1].trimmingBlanks
    guard !token.isEmpty, token.utf8.count <= 16 << 10, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw refusal(401, "invalid_token", "The token is not valid.", needed)
    }
    let grant: AccessGrant?
    do {
      grant = try await validator.validate(token)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw AccessRefusal(status: 503, challenge: nil, message: "Tokens cannot be checked at the moment.")
    }
    guard let grant, grant.audience.contains(where: isThis), grant.expiry.map({ $0 > now() }) ?? true else {
      throw refusal(401, "invalid_token", "The token is not valid here, or no longer.", needed)
    }
    guard needed.isSubset(of: ScopeSet(grant.scopes)) else {
      throw refusal(403, "insufficient_scope", "The token does not allow this.", needed)
    }
    return grant
  }

  /// A slash at the end makes no difference.
  private func isThis(_ audience: String) -> Bool {
    func plain(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
    return plain(audience) == plain(metadata.resource)
  }

  private func refusal(_ status: Int, _ code: String?, _ message: String, _ scopes: ScopeSet) -> AccessRefusal {
    var parameters: [(name: String, value: String)] = []
    if let code {
      parameters.append(("error", code))
      parameters.append(("error_description", message))
    }
    if !scopes.isEmpty { parameters.append(("scope", scopes.text)) }
    parameters.append(("resource_metadata", location.text))
    return AccessRefusal(
      status: status, challenge: AuthenticationChallenge(scheme: "Bearer", parameters: parameters), message: message)
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
