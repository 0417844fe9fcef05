public import MartletHTTP

/// A transport whose requests carry the credentials of a server, and are sent again after new ones were had.
public struct AuthorizedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let authorizer: any RequestAuthorizer

  /// A transport for one server.
  /// - Parameters:
  ///   - base: sends the requests.
  ///   - authorizer: knows the credentials.
  public init(_ base: any HTTPTransport, authorizer: any RequestAuthorizer) {
    self.base = base
    self.authorizer = authorizer
  }

  /// Sends a request. A 401 or 403 is delivered only when it is not about credentials. A body that streams cannot be sent
  /// a second time, so its request is refused as it comes.
  /// - Throws: ``HTTPError``, ``AuthorizationError``, or `CancellationError`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var attempts = AuthorizationAttempts()
    while true {
      let authorized = try await authorizer.authorize(request)
      try Task.checkCancellation()
      let response = try await base.send(authorized)
      guard response.status == 401 || response.status == 403, !request.streamsBody,
        let next = try await authorizer.recover(authorized, from: response, attempts: attempts)
      else { return response }
      // Let the connection be used again.
      response.body.finish()
      attempts = next
    }
  }
}

extension HTTPRequest {
  fileprivate var streamsBody: Bool {
    if case .stream = body { true } else { false }
  }
}
