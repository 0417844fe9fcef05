public import MartletHTTP

/// Adds credentials to the requests that go to one server, and gets new ones when the server refuses.
///
/// ``AuthorizedTransport`` does with it all that an HTTP client has to do; wrap the transport in it and send as before.
public protocol RequestAuthorizer: Sendable {
  /// The request with what authorizes it, as far as that is known: without a token it goes as it is, and the server's
  /// refusal tells where to get one. May renew a token that ends soon.
  /// - Throws: ``AuthorizationError``, among others for a request to another origin than the server's.
  func authorize(_ request: HTTPRequest) async throws -> HTTPRequest

  /// Whether a refused request should be sent again, after new credentials were had.
  /// - Parameters:
  ///   - request: as it was sent, with its credentials.
  ///   - response: its head counts alone; the body is not read.
  ///   - attempts: what was tried for this request before; starts empty.
  /// - Returns: the attempts now, when the request is to be authorized and sent again; `nil` when the response is not
  ///   about credentials, or asks for what was not granted, and is the caller's to deal with.
  /// - Throws: ``AuthorizationError`` when no credentials can be had or the server refuses them all the same.
  func recover(
    _ request: HTTPRequest, from response: HTTPResponse, attempts: AuthorizationAttempts
  ) async throws -> AuthorizationAttempts?
}

/// What was tried for one request.
public struct AuthorizationAttempts: Sendable, Hashable {
  /// How often it was sent again.
  public var count = 0
  /// What more was asked for.
  var steppedUp: [ScopeSet] = []

  /// Nothing was tried.
  public init() {}
}
