import Martlet
import MartletHTTP
import MartletJSON

/// How a client gets from a refusal to a token, as a value: facts go in, and what is to be done next comes out. No I/O, no
/// clock, no chance inside.
///
/// The server's metadata names its authorization server, whose metadata names its endpoints; the client is found or
/// registered; a person agrees; a code is redeemed. Other grants leave out the steps in between.
struct AuthorizationFlow: Sendable {
  /// What happened.
  enum Fact: Sendable {
    case begun
    case response(status: Int, body: [UInt8])
    /// The client that was registered at the issuer before, if there is one.
    case client(ClientRegistration?)
    case kept
    case redirectReady(uri: String)
    /// The URL that the browser was sent back to.
    case callback(String)
    /// The statement or subject token that was asked for.
    case statement(String)
  }

  /// What is to be done; the next fact is its outcome.
  enum Step: Sendable {
    case fetch(HTTPRequest)
    /// A request to a token endpoint. `bound`: with a proof of possession.
    case redeem(HTTPRequest, bound: Bool)
    case findClient(issuer: String)
    case keep(ClientRegistration)
    case prepareRedirect(preferred: String?)
    case ask(url: String)
    /// A statement for the authorization server.
    case makeStatement(issuer: String, resource: String)
    /// The token that proves to the identity provider who the person is.
    case makeSubject
    case finished(OAuthGrant)
  }

  /// What a flow begins with.
  struct Origin: Sendable {
    var server: WebAddress
    /// The server's URL as it was configured; grants are kept under it.
    var serverText: String
    var challenge: AuthenticationChallenge?
    /// Scopes that were asked for before, to be kept.
    var held: ScopeSet
    /// Whether the challenge asks for more than was granted.
    var isStepUp: Bool
    /// The issuer that the configured client was used with before.
    var boundIssuer: String?
    /// Whether there is somebody to ask.
    var canAsk: Bool
  }

  private enum Phase: Sendable {
    case start
    case resourceMetadata(remaining: [String], failed: Bool)
    case serverMetadata(remaining: [String], failed: Bool)
    case findingClient
    case openingRedirect
    case registering
    case keeping
    case asking
    case provingIdentity
    case exchanging
    case makingStatement
    case redeeming
    case ended
  }

  let origin: Origin
  let configuration: OAuthConfiguration
  let secrets: FlowSecrets
  private var phase = Phase.start
  /// `nil` for a server without metadata, which is its own authorization server.
  private var resourceMetadata: ProtectedResourceMetadata?
  private var issuer = ""
  private var server: AuthorizationServerMetadata?
  private var registration: ClientRegistration?
  private var client: OAuthClient?
  private var redirectURI = ""

  init(_ origin: Origin, configuration: OAuthConfiguration, secrets: FlowSecrets) {
    self.origin = origin
    self.configuration = configuration
    self.secrets = secrets
  }

  mutating func apply(_ fact: Fact, at now: Timestamp) throws(AuthorizationError) -> Step {
    switch (phase, fact) {
    case (.start, .begun):
      return try findResource()
    case (.resourceMetadata(let remaining, let failed), .response(let status, let body)):
      return try takeResource(status, body, remaining, failed)
    case (.serverMetadata(let remaining, let failed), .response(let status, let body)):
      return try takeServer(status, body, remaining, failed, at: now)
    case (.findingClient, .client(let known)):
      return try takeClient(known, at: now)
    case (.openingRedirect, .redirectReady(let uri)):
      return try takeRedirect(uri, at: now)
    case (.registering, .response(let status, let body)):
      return try takeRegistration(status, body)
    case (.keeping, .kept):
      return try ask()
    case (.asking, .callback(let url)):
      return try redeem(url, at: now)
    case (.provingIdentity, .statement(let subject)):
      return try exchange(subject, at: now)
    case (.exchanging, .response(let status, let body)):
      return try takeExchange(status, body, at: now)
    case (.makingStatement, .statement(let statement)):
      return try redeem(statement: statement, at: now)
    case (.redeeming, .response(let status, let body)):
      return try takeToken(status, body, at: now)
    default:
      throw AuthorizationError(.configuration, "The authorization flow got a fact that it does not wait for.")
    }
  }

  // MARK: - The server

  private mutating func findResource() throws(AuthorizationError) -> Step {
    var locations = MetadataLocations.resource(origin.server)
    if let named = origin.challenge?["resource_metadata"] {
      let address = try WebAddress.trusted(named, named: "URL of the server's metadata", by: origin.server)
      locations = [address.text] + locations.filter { $0 != address.text }
    }
    return fetchResource(locations, failed: false)
  }

  private mutating func fetchResource(_ locations: [String], failed: Bool) -> Step {
    phase = .resourceMetadata(remaining: Array(locations.dropFirst()), failed: failed)
    return .fetch(OAuthRequest.metadata(locations[0]))
  }

  private mutating func takeResource(
    _ status: Int, _ body: [UInt8], _ remaining: [String], _ failed: Bool
  ) throws(AuthorizationError) -> Step {
    guard let document = Self.document(status, body) else {
      let failed = failed || status >= 500
      if !remaining.isEmpty { return fetchResource(remaining, failed: failed) }
      return try withoutResource(failed: failed)
    }
    let metadata = try ProtectedResourceMetadata(document)
    guard metadata.isAbout(origin.server) else {
      throw AuthorizationError(
        .resourceMismatch, "The server's metadata is about another resource; a token for that is not sent here.")
    }
    resourceMetadata = metadata
    let preferred = [configuration.client?.issuer, origin.boundIssuer].compactMap(\.self)
    issuer = preferred.first(where: metadata.authorizationServers.contains) ?? metadata.authorizationServers[0]
    return try findServer()
  }

  /// The server says nothing about itself. A failing one might have: what it would say must not be guessed then.
  private mutating func withoutResource(failed: Bool) throws(AuthorizationError) -> Step {
    if failed { throw AuthorizationError(.unreachable, "The server's metadata cannot be read: the server failed.") }
    guard configuration.allowsLegacyDiscovery, origin.challenge?["resource_metadata"] == nil else {
      throw AuthorizationError(.discoveryFailed, "The server does not say where tokens for it are issued.")
    }
    issuer = origin.server.origin
    return try findServer()
  }

  // MARK: - The authorization server

  private mutating func findServer() throws(AuthorizationError) -> Step {
    let address = try trusted(issuer, "issuer")
    guard address.query == nil, !issuer.contains("#") else {
      throw AuthorizationError(.invalidResponse, "The issuer has a query or a fragment, which issuers cannot have.")
    }
    if let bound = configuration.client?.issuer ?? origin.boundIssuer, configuration.client != nil, bound != issuer {
      throw AuthorizationError(
        .issuerChanged,
        "The server now names another authorization server than the one that the client \(configuration.client?.id ?? "") belongs to; it is not used there."
      )
    }
    return fetchServer(MetadataLocations.authorizationServer(address), failed: false)
  }

  private mutating func fetchServer(_ locations: [String], failed: Bool) -> Step {
    phase = .serverMetadata(remaining: Array(locations.dropFirst()), failed: failed)
    return .fetch(OAuthRequest.metadata(locations[0]))
  }

  private mutating func takeServer(
    _ status: Int, _ body: [UInt8], _ remaining: [String], _ failed: Bool, at now: Timestamp
  ) throws(AuthorizationError) -> Step {
    guard let document = Self.document(status, body) else {
      let failed = failed || status >= 500
      if !remaining.isEmpty { return fetchServer(remaining, failed: failed) }
      if failed {
        throw AuthorizationError(.unreachable, "The authorization server's metadata cannot be read: it failed.")
      }
      guard resourceMetadata == nil else {
        throw AuthorizationError(.discoveryFailed, "The authorization server publishes no metadata.")
      }
      server = AuthorizationServerMetadata(assumedAt: origin.server)
      return try chooseGrant(at: now)
    }
    server = try AuthorizationServerMetadata(document, of: issuer)
    return try chooseGrant(at: now)
  }

  // MARK: - The client

  private mutating func chooseGrant(at now: Timestamp) throws(AuthorizationError) -> Step {
    _ = try endpoint()
    client = configuration.client
    switch configuration.grant {
    case .authorizationCode:
      return try chooseClient()
    case .clientCredentials:
      var fields = FormFields()
      fields.add("grant_type", "client_credentials")
      return try redeem(fields, at: now)
    case .assertion:
      phase = .makingStatement
      return .makeStatement(issuer: issuer, resource: resource)
    case .enterprise:
      phase = .provingIdentity
      return .makeSubject
    }
  }

  private mutating func chooseClient() throws(AuthorizationError) -> Step {
    guard let server, server.codeChallengeMethods?.contains("S256") == true else {
      throw AuthorizationError(
        .pkceUnsupported, "The authorization server does not say that it checks codes (PKCE with S256).")
    }
    _ = try trusted(server.authorizationEndpoint, "authorization endpoint")
    guard origin.canAsk else {
      throw AuthorizationError(
        .interactionRequired,
        "The server at \(origin.server.origin) needs a person to agree, and nobody can be asked here.")
    }
    if client != nil { return prepareRedirect(preferred: nil) }
    if let url = configuration.clientMetadataURL, server.takesClientMetadataURLs {
      client = OAuthClient(id: url, issuer: issuer)
      return prepareRedirect(preferred: nil)
    }
    phase = .findingClient
    return .findClient(issuer: issuer)
  }

  private mutating func takeClient(_ known: ClientRegistration?, at now: Timestamp) throws(AuthorizationError) -> Step {
    // The store is asked by issuer; one that mixes them up must not make a client known to another.
    if let known, known.issuer == issuer, known.secretExpiry.map({ Int64($0) > now.milliseconds / 1000 }) ?? true {
      registration = known
    }
    if registration == nil, server?.registrationEndpoint == nil {
      throw AuthorizationError(
        .clientUnknown,
        "The authorization server at \(issuer) registers no clients by itself: register one there and give its client id."
      )
    }
    return prepareRedirect(preferred: registration?.redirectURI)
  }

  private mutating func prepareRedirect(preferred: String?) -> Step {
    phase = .openingRedirect
    return .prepareRedirect(preferred: preferred)
  }

  private mutating func takeRedirect(_ uri: String, at now: Timestamp) throws(AuthorizationError) -> Step {
    redirectURI = uri
    if client != nil { return try ask() }
    if let registration, registration.redirectURI == uri || server?.registrationEndpoint == nil {
      client = registration.client
      return try ask()
    }
    let url = try trusted(server?.registrationEndpoint, "registration endpoint").text
    let scope = scopes.isEmpty ? nil : scopes.text
    let document = configuration.metadata.registration(
      redirectURIs: [uri], authenticationMethod: registeredMethod, scope: scope)
    phase = .registering
    return .fetch(
      HTTPRequest(
        .post, url, headers: ["content-type": "application/json", "accept": "application/json"],
        body: .bytes(JSONValue.object(document).bytes()), timeouts: OAuthRequest.timeouts, redirects: .deliver))
  }

  /// A program on a person's machine keeps no secrets, so none is asked for where the server can do without.
  private var registeredMethod: String {
    let known = ["none", "client_secret_basic", "client_secret_post"]
    guard let methods = server?.authenticationMethods else { return "none" }
    return known.first(where: methods.contains) ?? "none"
  }

  private mutating func takeRegistration(_ status: Int, _ body: [UInt8]) throws(AuthorizationError) -> Step {
    let document = OAuthRequest.object(body)
    guard (200..<300).contains(status), let document else {
      if status >= 500 {
        throw AuthorizationError(.unreachable, "The authorization server failed to register the client (\(status)).")
      }
      let code = document?["error"]?.stringValue.flatMap(OAuthFailure.code)
      throw AuthorizationError(
        .registrationFailed, "The authorization server does not register this client (\(code ?? "status \(status)")).",
        serverCode: code)
    }
    let made = try ClientRegistration(document, issuer: issuer, redirectURI: redirectURI)
    registration = made
    client = made.client
    phase = .keeping
    return .keep(made)
  }

  // MARK: - The person

  private mutating func ask() throws(AuthorizationError) -> Step {
    let page = try trusted(server?.authorizationEndpoint, "authorization endpoint")
    var fields = FormFields()
    fields.add("response_type", "code")
    fields.add("client_id", try known().id)
    fields.add("redirect_uri", redirectURI)
    fields.add("state", secrets.state)
    fields.add("code_challenge", secrets.challenge)
    fields.add("code_challenge_method", "S256")
    fields.add("resource", resource)
    if !scopes.isEmpty { fields.add("scope", scopes.text) }
    // OpenID Connect Core, 11: offline access is granted only when the person is asked.
    if scopes.contains("offline_access") { fields.add("prompt", "consent") }
    phase = .asking
    return .ask(url: page.adding(fields).text)
  }

  private mutating func redeem(_ callback: String, at now: Timestamp) throws(AuthorizationError) -> Step {
    guard let server else { throw AuthorizationError(.discoveryFailed, "No authorization server was found.") }
    let code = try AuthorizationCallback.code(in: callback, state: secrets.state, server: server)
    var fields = FormFields()
    fields.add("grant_type", "authorization_code")
    fields.add("code", code)
    fields.add("redirect_uri", redirectURI)
    fields.add("code_verifier", secrets.verifier)
    return try redeem(fields, at: now, withScope: false)
  }

  // MARK: - Statements

  private mutating func exchange(_ subject: String, at now: Timestamp) throws(AuthorizationError) -> Step {
    guard case .enterprise(let identity) = configuration.grant else {
      throw AuthorizationError(.configuration, "There is no identity provider.")
    }
    var fields = FormFields()
    fields.add("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
    fields.add("requested_token_type", Self.identityAssertion)
    fields.add("audience", issuer)
    fields.add("resource", resource)
    if !scopes.isEmpty { fields.add("scope", scopes.text) }
    fields.add("subject_token", subject)
    fields.add("subject_token_type", identity.subjectTokenType.rawValue)
    let provider = TokenEndpoint(url: identity.tokenEndpoint, issuer: identity.issuer)
    guard let address = WebAddress(provider.url), address.isEncrypted || address.zone == .thisMachine else {
      throw AuthorizationError(.unsafeAddress, "The identity provider's token endpoint is not an https URL.")
    }
    phase = .exchanging
    let request = try provider.request(
      fields, client: identity.client, at: now, statementID: secrets.statementID + "-idp")
    return .redeem(request, bound: false)
  }

  private mutating func takeExchange(_ status: Int, _ body: [UInt8], at now: Timestamp) throws(AuthorizationError)
    -> Step
  {
    let document = OAuthRequest.object(body)
    guard status == 200, let document else { throw OAuthFailure.token(status: status, document) }
    guard document["issued_token_type"]?.stringValue == Self.identityAssertion,
      let statement = document["access_token"]?.stringValue, !statement.isEmpty
    else {
      throw AuthorizationError(.invalidResponse, "The identity provider did not issue an identity assertion.")
    }
    return try redeem(statement: statement, at: now)
  }

  private static let identityAssertion = "urn:ietf:params:oauth:token-type:id-jag"

  private mutating func redeem(statement: String, at now: Timestamp) throws(AuthorizationError) -> Step {
    var fields = FormFields()
    fields.add("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
    fields.add("assertion", statement)
    return try redeem(fields, at: now)
  }

  // MARK: - The token

  private mutating func redeem(
    _ grant: FormFields, at now: Timestamp, withScope: Bool = true
  ) throws(AuthorizationError) -> Step {
    var fields = grant
    fields.add("resource", resource)
    if withScope, !scopes.isEmpty { fields.add("scope", scopes.text) }
    let request = try endpoint().request(fields, client: try known(), at: now, statementID: secrets.statementID)
    phase = .redeeming
    return .redeem(request, bound: isBound)
  }

  private mutating func takeToken(_ status: Int, _ body: [UInt8], at now: Timestamp) throws(AuthorizationError) -> Step
  {
    let document = OAuthRequest.object(body)
    guard status == 200, let document else { throw OAuthFailure.token(status: status, document) }
    let token = try OAuthToken(document, at: now)
    phase = .ended
    let key = OAuthGrant.Key(issuer: issuer, server: origin.serverText, clientID: try known().id)
    return .finished(
      OAuthGrant(key: key, token: token, resource: resource, requested: scopes, endpoint: try endpoint()))
  }

  // MARK: - What follows from what is known

  /// The identifier of the resource exactly as the server's metadata has it; without metadata the server's URL.
  private var resource: String {
    if let resourceMetadata { return resourceMetadata.resource }
    return origin.server.path == "/" ? origin.server.origin : origin.server.with(path: origin.server.path).text
  }

  /// The scopes to ask for: those of the challenge, else those that the server supports, else none; and what was held.
  private var scopes: ScopeSet {
    let challenged = origin.challenge?["scope"].map { ScopeSet(text: $0) } ?? ScopeSet()
    var asked = configuration.scopes.map { ScopeSet($0) } ?? challenged
    if asked.isEmpty, configuration.scopes == nil { asked = ScopeSet(resourceMetadata?.scopesSupported ?? []) }
    if origin.isStepUp { asked = asked.union(challenged) }
    asked = origin.held.union(asked)
    guard case .authorizationCode = configuration.grant, configuration.asksForOfflineAccess, !asked.isEmpty,
      server?.scopesSupported?.contains("offline_access") == true
    else { return asked }
    return asked.union(ScopeSet(["offline_access"]))
  }

  private var isBound: Bool {
    configuration.bindsTokens && (server?.dpopAlgorithms.contains("ES256") == true)
  }

  private func endpoint() throws(AuthorizationError) -> TokenEndpoint {
    let address = try trusted(server?.tokenEndpoint, "token endpoint")
    return TokenEndpoint(url: address.text, issuer: issuer, authenticationMethods: server?.authenticationMethods)
  }

  private func known() throws(AuthorizationError) -> OAuthClient {
    guard let client else { throw AuthorizationError(.clientUnknown, "There is no client id.") }
    return client
  }

  private func trusted(_ url: String?, _ what: String) throws(AuthorizationError) -> WebAddress {
    guard let url else {
      throw AuthorizationError(.discoveryFailed, "The authorization server's metadata names no \(what).")
    }
    return try WebAddress.trusted(url, named: what, by: origin.server)
  }

  /// The document of a response, if it is one.
  private static func document(_ status: Int, _ body: [UInt8]) -> JSONValue? {
    status == 200 ? OAuthRequest.object(body) : nil
  }
}
