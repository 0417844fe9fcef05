public import MartletHTTP

/// Agrees without a person: asks for the page, and takes the redirect that it answers with. For authorization servers
/// that let everybody in, as those of tests do.
public struct HeadlessUserAgent: AuthorizationUserAgent {
  private let transport: any HTTPTransport
  private let uri: String

  /// - Parameter redirectURI: where redirects are said to go. Nobody listens there: nothing is sent to it.
  public init(transport: any HTTPTransport, redirectURI: String) {
    self.transport = transport
    uri = redirectURI
  }

  public func begin(preferred: String?) -> any AuthorizationRedirect { Redirect(transport: transport, uri: uri) }

  private struct Redirect: AuthorizationRedirect {
    let transport: any HTTPTransport
    let uri: String

    func authorize(at url: String) async throws -> String {
      let response = try await transport.send(HTTPRequest(.get, url, timeouts: OAuthRequest.timeouts))
      response.body.finish()
      guard (300..<400).contains(response.status), let location = response.headers["location"] else {
        throw AuthorizationError(
          .interactionRequired, "The authorization server does not agree without a person (status \(response.status)).")
      }
      return location
    }

    func end() {}
  }
}
