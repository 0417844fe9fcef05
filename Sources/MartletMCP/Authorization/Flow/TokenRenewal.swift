import Martlet
import MartletHTTP

/// A token renewed with its refresh token (RFC 6749, 6): the request, and what its answer makes of the grant.
struct TokenRenewal: Sendable {
  let grant: OAuthGrant
  let request: HTTPRequest

  /// `nil` when there is nothing to renew it with.
  init?(_ grant: OAuthGrant, client: OAuthClient, at now: Timestamp, statementID: String) throws(AuthorizationError) {
    guard let refresh = grant.token?.refresh else { return nil }
    var fields = FormFields()
    fields.add("grant_type", "refresh_token")
    fields.add("refresh_token", refresh)
    fields.add("resource", grant.resource)
    self.grant = grant
    request = try grant.endpoint.request(fields, client: client, at: now, statementID: statementID)
  }

  /// The grant afterwards. An old refresh token stays unless there is a new one.
  func renewed(status: Int, body: [UInt8], at now: Timestamp) throws(AuthorizationError) -> OAuthGrant {
    let document = OAuthRequest.object(body)
    guard status == 200, let document else { throw OAuthFailure.token(status: status, document) }
    var token = try OAuthToken(document, at: now)
    token.refresh = token.refresh ?? grant.token?.refresh
    token.scope = token.scope ?? grant.token?.scope
    var renewed = grant
    renewed.token = token
    return renewed
  }
}
