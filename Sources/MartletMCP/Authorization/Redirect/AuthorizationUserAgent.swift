/// Lets a person agree: shows a page of the authorization server, and catches the redirect back.
public protocol AuthorizationUserAgent: Sendable {
  /// Makes ready to catch one redirect.
  /// - Parameter preferred: where redirects went the last time, which the server may insist on; another place is fine.
  func begin(preferred: String?) async throws -> any AuthorizationRedirect
}

/// A place that one redirect is expected at.
public protocol AuthorizationRedirect: Sendable {
  /// Where the authorization server is to send the person back.
  var uri: String { get }
  /// Shows a page and waits for the redirect. Called once at most.
  /// - Returns: the URL that was asked for in the end, with its query.
  func authorize(at url: String) async throws -> String
  /// Nothing more is expected. Called once, also after failures.
  func end() async
}
