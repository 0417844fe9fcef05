public import Martlet
import MartletCrypto
public import MartletHTTP

/// Gets, keeps and renews the tokens of one server, by OAuth 2.1 as MCP profiles it.
///
/// However many requests are refused at once, one of them gets the token and the others wait for it; a waiter that is
/// cancelled goes alone. Tokens go to the server's origin only.
public actor OAuthAuthorizer: RequestAuthorizer {
  /// The URL of the server, as it was configured.
  public nonisolated let server: String
  private nonisolated let address: WebAddress
  private let configuration: OAuthConfiguration
  private let transport: any HTTPTransport
  private let store: any TokenStore
  private let userAgent: (any AuthorizationUserAgent)?
  private let asksOnlyToSignIn: Bool
  private let now: @Sendable () -> Timestamp
  private var grant: OAuthGrant?
  private var isLoaded = false
  private var prover: DPoPProver?
  private var renewal: (reason: Reason, asks: Bool, work: SharedWork)?
  /// What a request could not have without a person.
  private var missing: Reason?

  /// An authorizer; nothing is sent yet.
  /// - Parameters:
  ///   - server: the URL of the MCP server, https unless it is on this machine.
  ///   - transport: sends requests to authorization servers. Not one that adds credentials.
  ///   - store: where tokens are kept; by default until the process ends.
  ///   - userAgent: lets a person agree; without one only what needs nobody works.
  ///   - asksOnlyToSignIn: whether only ``signIn()`` asks a person. A request that would have to fails then with
  ///     `interactionRequired`, and ``signIn()`` gets what it lacked: for those whose requests have not the time that a
  ///     person takes.
  ///   - now: the time of day.
  /// - Throws: ``AuthorizationError`` for what cannot work.
  public init(
    server: String, configuration: OAuthConfiguration = OAuthConfiguration(), transport: any HTTPTransport,
    store: any TokenStore = InMemoryTokenStore(), userAgent: (any AuthorizationUserAgent)? = nil,
    asksOnlyToSignIn: Bool = false, now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
  ) throws {
    guard let address = WebAddress(server), address.isEncrypted || address.zone == .thisMachine else {
      throw AuthorizationError(
        .unsafeAddress, "Tokens are sent to https URLs only, or to this machine: give the server's URL with https.")
    }
    try configuration.check()
    self.server = server
    self.address = address
    self.configuration = configuration
    self.transport = transport
    self.store = store
    self.userAgent = userAgent
    self.asksOnlyToSignIn = asksOnlyToSignIn
    self.now = now
    if configuration.bindsTokens { prover = try DPoPProver() }
  }

  // MARK: - Requests

  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    guard WebAddress(request.url)?.origin == address.origin else {
      throw AuthorizationError(.unsafeAddress, "A request to another server gets no token of \(address.origin).")
    }
    try await load()
    if let token = grant?.token, token.refresh != nil, token.expires(within: configuration.expirySkew, at: now()) {
      try await renew(.expiring)
    }
    var request = request
    request.headers["authorization"] = nil
    guard let token = grant?.token, !token.expires(within: .zero, at: now()) else { return request }
    request.headers["authorization"] = "\(token.type) \(token.access)"
    if token.type == "DPoP" { try prover?.sign(&request, token: token.access, at: now()) }
    return request
  }

  public func recover(
    _ request: HTTPRequest, from response: HTTPResponse, attempts: AuthorizationAttempts
  ) async throws -> AuthorizationAttempts? {
    guard WebAddress(request.url)?.origin == address.origin else { return nil }
    let challenge = AuthenticationChallenge.token(in: response.headers)
    let hasNewNonce = prover?.take(response.headers, from: request.url) ?? false
    var attempts = attempts
    attempts.count += 1
    switch response.status {
    case 401:
      guard attempts.count <= configuration.retryLimit else {
        throw AuthorizationError(
          .rejected, "The server at \(address.origin) refuses the tokens that its authorization server issues.")
      }
      // RFC 9449, 9: the token is fine, the proof lacks the server's nonce.
      if hasNewNonce, challenge?["error"] == "use_dpop_nonce" { return attempts }
      guard sent(in: request) == current else { return attempts }
      try await renew(.rejected(sent(in: request), challenge))
      return attempts
    case 403:
      // Some servers name the scopes that are missing and forget to say why they do.
      guard let challenge,
        challenge["error"] == "insufficient_scope" || challenge["error"] == nil && challenge["scope"] != nil
      else { return nil }
      let wanted = ScopeSet(text: challenge["scope"] ?? "")
      guard attempts.count <= configuration.retryLimit, !attempts.steppedUp.contains(wanted) else {
        throw AuthorizationError(
          .insufficientScope,
          "The server at \(address.origin) wants more than was granted, also after it was asked for.",
          serverCode: challenge["error"])
      }
      guard sent(in: request) == current else { return attempts }
      try await renew(.insufficient(challenge))
      attempts.steppedUp.append(wanted)
      return attempts
    default:
      return nil
    }
  }

  /// Gets a token now, if there is none, or what the last request lacked: what a command for signing in does.
  public func signIn() async throws {
    try await load()
    if let missing { return try await renew(missing, asks: true) }
    if let token = grant?.token, !token.expires(within: configuration.expirySkew, at: now()) { return }
    try await renew(.rejected(current, nil), asks: true)
  }

  /// Forgets all tokens of the server, here and in the store.
  public func signOut() async throws {
    grant = nil
    isLoaded = true
    try await store.removeGrants(server: server)
  }

  /// What a request is sent with now; nothing when the token has ended.
  private var current: String? {
    guard let token = grant?.token, !token.expires(within: .zero, at: now()) else { return nil }
    return "\(token.type) \(token.access)"
  }

  private func sent(in request: HTTPRequest) -> String? { request.headers["authorization"] }

  // MARK: - One renewal at a time

  private enum Reason: Sendable {
    /// The token ends soon.
    case expiring
    /// The server refused what was sent.
    case rejected(String?, AuthenticationChallenge?)
    /// What was granted does not suffice.
    case insufficient(AuthenticationChallenge)

    /// Whether what was done for this reason is what another one asks for.
    func settles(_ other: Reason) -> Bool {
      switch (self, other) {
      case (.insufficient(let asked), .insufficient(let wanted)):
        ScopeSet(text: wanted["scope"] ?? "").isSubset(of: ScopeSet(text: asked["scope"] ?? ""))
      case (_, .insufficient): false
      // Renewing what ends soon asks nobody, so it may end without a token.
      case (.expiring, .rejected): false
      default: true
      }
    }
  }

  private func renew(_ reason: Reason) async throws { try await renew(reason, asks: !asksOnlyToSignIn) }

  /// - Parameter asks: whether a person may be asked.
  private func renew(_ reason: Reason, asks: Bool) async throws {
    while let (running, runningAsks, work) = renewal {
      let isSettled = running.settles(reason) && (runningAsks || !asks)
      do {
        // What was given up by those who waited before is still needed here.
        if try await work.wait(), isSettled { return }
      } catch {
        try Task.checkCancellation()
        if isSettled { throw error }
      }
      if case .rejected(let refused?, _) = reason, let current, current != refused { return }
    }
    let work = SharedWork { try await self.perform(reason, asks: asks) }
    renewal = (reason, asks, work)
    if try await !work.wait() { try await renew(reason, asks: asks) }
  }

  private func perform(_ reason: Reason, asks: Bool) async throws {
    defer { renewal = nil }
    do {
      switch reason {
      case .expiring:
        _ = try await refresh(unless: current)
      case .rejected(let refused, let challenge):
        if refused != nil, try await refresh(unless: refused) { return }
        try await obtain(challenge, isStepUp: false, asks: asks)
      case .insufficient(let challenge):
        try await obtain(challenge, isStepUp: true, asks: asks)
      }
    } catch let error as AuthorizationError where error.code == .interactionRequired && !asks {
      missing = reason
      throw error
    }
  }

  private func load() async throws {
    guard !isLoaded else { return }
    let kept = try await store.grants(server: server)
    // Meanwhile another call may have loaded or even renewed it.
    guard !isLoaded else { return }
    isLoaded = true
    grant = kept.first { isOurs($0) }
  }

  /// Whether a kept grant was made for the client that is configured now.
  private func isOurs(_ grant: OAuthGrant) -> Bool {
    guard let client = configuration.client else { return true }
    return grant.key.clientID == client.id && (client.issuer ?? grant.key.issuer) == grant.key.issuer
  }

  // MARK: - Refresh

  /// Renews the token without anybody. False when that cannot be; then there is no token any more.
  private func refresh(unless refused: String?) async throws -> Bool {
    // Another process may have renewed it, and used up the refresh token that is known here.
    if let kept = try await store.grants(server: server).first(where: isOurs), let token = kept.token,
      "\(token.type) \(token.access)" != refused, !token.expires(within: configuration.expirySkew, at: now())
    {
      grant = kept
      return true
    }
    guard var held = grant, let client = try await client(of: held),
      let renewal = try TokenRenewal(held, client: client, at: now(), statementID: FlowSecrets().statementID)
    else { return false }
    let isBound = held.token?.type == "DPoP"
    do {
      let (status, body) = try await redeem(renewal.request, bound: isBound)
      held = try renewal.renewed(status: status, body: body, at: now())
    } catch let error as AuthorizationError where [.refused, .clientRejected, .denied].contains(error.code) {
      held.token = nil
      grant = held
      try await store.save(held)
      return false
    }
    try await adopt(held)
    return true
  }

  /// The client that a grant belongs to.
  private func client(of grant: OAuthGrant) async throws -> OAuthClient? {
    if let client = configuration.client { return client.id == grant.key.clientID ? client : nil }
    if grant.key.clientID == configuration.clientMetadataURL { return OAuthClient(id: grant.key.clientID) }
    let registration = try await store.registration(issuer: grant.key.issuer)
    return registration?.clientID == grant.key.clientID ? registration?.client : nil
  }

  // MARK: - A new token

  private func obtain(_ challenge: AuthenticationChallenge?, isStepUp: Bool, asks: Bool) async throws {
    do {
      try await runFlow(challenge, isStepUp: isStepUp, asks: asks)
    } catch let error as AuthorizationError where error.code == .clientRejected {
      // The server forgot a client that registered itself: once more, as a new one.
      guard configuration.client == nil, let issuer = lastRegistration, error.serverCode == "invalid_client" else {
        throw error
      }
      lastRegistration = nil
      try await store.removeRegistration(issuer: issuer)
      try await runFlow(challenge, isStepUp: isStepUp, asks: asks)
    }
  }

  /// The issuer whose kept registration the flow uses.
  private var lastRegistration: String?

  private func runFlow(_ challenge: AuthenticationChallenge?, isStepUp: Bool, asks: Bool) async throws {
    lastRegistration = nil
    var flow = AuthorizationFlow(
      AuthorizationFlow.Origin(
        server: address, serverText: server, challenge: challenge,
        // Asked for anew where it is offered.
        held: ScopeSet(grant?.requested.names.filter { $0 != "offline_access" } ?? []), isStepUp: isStepUp,
        boundIssuer: grant?.key.issuer, canAsk: asks && userAgent != nil),
      configuration: configuration, secrets: FlowSecrets())
    var redirect: (any AuthorizationRedirect)?
    do {
      var step = try flow.apply(.begun, at: now())
      while true {
        try Task.checkCancellation()
        if case .finished(let grant) = step {
          await redirect?.end()
          redirect = nil
          return try await adopt(grant)
        }
        step = try flow.apply(try await fact(of: step, &redirect), at: now())
      }
    } catch {
      await redirect?.end()
      throw error
    }
  }

  private func fact(of step: AuthorizationFlow.Step, _ redirect: inout (any AuthorizationRedirect)?) async throws
    -> AuthorizationFlow.Fact
  {
    switch step {
    case .fetch(let request):
      let (status, _, body) = try await exchange(request)
      return .response(status: status, body: body)
    case .redeem(let request, let isBound):
      let (status, body) = try await redeem(request, bound: isBound)
      return .response(status: status, body: body)
    case .findClient(let issuer):
      let known = try await store.registration(issuer: issuer)
      if known != nil { lastRegistration = issuer }
      return .client(known)
    case .keep(let registration):
      try await store.save(registration)
      lastRegistration = nil
      return .kept
    case .prepareRedirect(let preferred):
      guard let userAgent else {
        throw AuthorizationError(.interactionRequired, "A person has to agree, and nobody can be asked here.")
      }
      let ready = try await userAgent.begin(preferred: preferred)
      redirect = ready
      return .redirectReady(uri: ready.uri)
    case .ask(let url):
      guard let redirect else {
        throw AuthorizationError(.interactionRequired, "A person has to agree, and nobody can be asked here.")
      }
      return .callback(try await redirect.authorize(at: url))
    case .makeStatement(let issuer, let resource):
      guard case .assertion(let make) = configuration.grant else {
        throw AuthorizationError(.configuration, "There is nobody who vouches for the client.")
      }
      return .statement(try await make(issuer, resource))
    case .makeSubject:
      guard case .enterprise(let identity) = configuration.grant else {
        throw AuthorizationError(.configuration, "There is no identity provider.")
      }
      return .statement(try await identity.subjectToken())
    case .finished:
      return .kept
    }
  }

  private func adopt(_ grant: OAuthGrant) async throws {
    self.grant = grant
    missing = nil
    isLoaded = true
    var kept = grant
    // A token that is bound to this process's key is of no use to another.
    if grant.token?.type == "DPoP" { kept.token = nil }
    try await store.save(kept)
  }

  // MARK: - Sending

  private func redeem(_ request: HTTPRequest, bound: Bool) async throws -> (status: Int, body: [UInt8]) {
    var request = request
    if bound { try prover?.sign(&request, token: nil, at: now()) }
    var (status, headers, body) = try await exchange(request)
    // RFC 9449, 8: the server wants its nonce in the proof.
    if bound, prover?.take(headers, from: request.url) == true, status == 400 || status == 401 {
      try prover?.sign(&request, token: nil, at: now())
      (status, headers, body) = try await exchange(request)
    }
    return (status, body)
  }

  private func exchange(_ request: HTTPRequest) async throws -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
    do {
      let response = try await transport.send(request)
      return (response.status, response.headers, try await response.body.bytes(limit: OAuthRequest.limit))
    } catch let error as HTTPError {
      throw AuthorizationError(
        .unreachable, "\(WebAddress(request.url)?.origin ?? "A server") gave no answer: \(error.message)",
        underlying: error)
    }
  }
}
