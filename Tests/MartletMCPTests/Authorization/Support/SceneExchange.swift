import MartletCrypto
import MartletHTTP
import MartletJSON

@testable import MartletMCP

/// One request to one of the servers of a scene.
struct SceneExchange {
  var state: AuthorizationScene.State
  let method: HTTPRequest.Method
  let url: String
  let headers: HTTPHeaders
  let body: [UInt8]

  private var setting: AuthorizationScene.Setting { state.setting }
  private var plainURL: String { String(url.prefix { $0 != "?" }) }
  private var query: FormFields {
    FormFields(url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? "")
      ?? FormFields()
  }
  /// The origin of the authorization server.
  private var serverOrigin: String { WebAddress(state.issuer)?.origin ?? "" }
  private var resource: String { setting.resource ?? "\(setting.resourceBase)/mcp" }

  mutating func respond() -> HTTPResponse {
    state.requests.append("\(method) \(plainURL)")
    if let path = setting.metadataPath, plainURL == setting.resourceBase + path { return resourceMetadata() }
    if plainURL == "\(setting.resourceBase)/mcp" { return protected() }
    if let path = setting.serverMetadataPath, plainURL == serverOrigin + path { return serverMetadata() }
    let endpoints = serverOrigin + setting.endpointPrefix
    switch plainURL {
    case "\(endpoints)/authorize": return authorize()
    case "\(endpoints)/token": return token()
    case "\(endpoints)/register": return register()
    case setting.identityProvider + "/token": return exchangeIdentity()
    default: return Self.json(404, ["error": "not_found"])
    }
  }

  private mutating func note(_ check: String, _ isRight: Bool = true, _ problem: String = "") {
    if isRight { state.checks.insert(check) } else { state.problems.append("\(check): \(problem)") }
  }

  static func json(_ status: Int, _ value: JSONValue, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var headers = headers
    headers["content-type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(value.bytes()))
  }

  // MARK: - The protected server

  private mutating func resourceMetadata() -> HTTPResponse {
    note("prm-pathbased-requested")
    var document: JSONObject = [
      "resource": .string(resource), "authorization_servers": [.string(state.issuer)],
    ]
    if let scopes = setting.scopesSupported { document["scopes_supported"] = .array(scopes.map(JSONValue.string)) }
    return Self.json(200, .object(document))
  }

  private mutating func protected() -> HTTPResponse {
    let call = (try? JSONValue(parsing: body))?["method"]?.stringValue
    let needed = setting.requiredScopes + (call == "tools/call" ? setting.callScopes : [])
    if let call, setting.openMethods.contains(call) { return Self.json(200, ["ok": true]) }
    guard let value = headers["authorization"] else { return refuse(401, nil) }
    let words = value.split(separator: " ").map(String.init)
    guard words.count == 2, let issued = state.tokens[words[1]], issued.issuer == state.issuer else {
      return refuse(401, "invalid_token")
    }
    guard issued.resource == resource else {
      note("audience", false, "the token is for \(issued.resource)")
      return refuse(401, "invalid_token")
    }
    if let thumbprint = issued.thumbprint {
      guard words[0] == "DPoP", let proof = proof(token: words[1]), proof.thumbprint == thumbprint else {
        note("sep-1932-client-dpop-auth-scheme", false, "no proof with the token")
        return refuse(401, "invalid_token")
      }
      note("sep-1932-client-dpop-auth-scheme")
      note("sep-1932-client-fresh-proof", state.proofs.insert(proof.id).inserted, "a proof was used twice")
      if setting.needsNonce, proof.nonce != "resource-nonce" {
        return Self.json(
          401, ["error": "use_dpop_nonce"],
          headers: ["www-authenticate": "DPoP error=\"use_dpop_nonce\"", "dpop-nonce": "resource-nonce"])
      }
      if setting.needsNonce { note("sep-1932-client-rs-nonce") }
    } else if words[0] != "Bearer" {
      note("valid-bearer-token", false, "the scheme is \(words[0])")
    }
    guard !setting.forbidsAlways, needed.allSatisfy(issued.scopes.contains) else {
      return refuse(403, setting.saysWhyForbidden ? "insufficient_scope" : nil, scope: needed.joined(separator: " "))
    }
    note("valid-bearer-token")
    if setting.migratesTo != nil, !state.hasMigrated { state.hasMigrated = true }
    return Self.json(200, ["ok": true])
  }

  private func refuse(_ status: Int, _ error: String?, scope: String? = nil) -> HTTPResponse {
    if setting.isSilent { return Self.json(status, [:]) }
    var parameters: [(name: String, value: String)] = []
    if let error { parameters.append(("error", error)) }
    if let scope = scope ?? setting.challengeScope { parameters.append(("scope", scope)) }
    if setting.namesMetadata, let path = setting.metadataPath {
      parameters.append(("resource_metadata", setting.resourceBase + path))
    }
    let challenge = AuthenticationChallenge(scheme: setting.bindsTokens ? "DPoP" : "Bearer", parameters: parameters)
    return Self.json(status, [:], headers: ["www-authenticate": challenge.headerValue])
  }

  // MARK: - The authorization server

  private mutating func serverMetadata() -> HTTPResponse {
    note("authorization-server-metadata")
    let endpoints = serverOrigin + setting.endpointPrefix
    var document: JSONObject = [
      "issuer": .string(setting.issuerInMetadata ?? state.issuer),
      "authorization_endpoint": .string("\(endpoints)/authorize"), "token_endpoint": .string("\(endpoints)/token"),
      "response_types_supported": ["code"],
    ]
    if setting.registers { document["registration_endpoint"] = .string("\(endpoints)/register") }
    if let scopes = setting.serverScopes { document["scopes_supported"] = .array(scopes.map(JSONValue.string)) }
    if let methods = setting.methods {
      document["token_endpoint_auth_methods_supported"] = .array(methods.map(JSONValue.string))
    }
    if let methods = setting.challengeMethods {
      document["code_challenge_methods_supported"] = .array(methods.map(JSONValue.string))
    }
    if setting.takesMetadataURLs { document["client_id_metadata_document_supported"] = true }
    if setting.advertisesIssuer { document["authorization_response_iss_parameter_supported"] = true }
    if setting.bindsTokens { document["dpop_signing_alg_values_supported"] = ["ES256"] }
    for (key, value) in setting.serverMetadata { document[key] = value }
    return Self.json(200, .object(document))
  }

  private mutating func register() -> HTTPResponse {
    note("client-registration")
    guard let request = try? JSONValue(parsing: body) else {
      return Self.json(400, ["error": "invalid_client_metadata"])
    }
    state.registrations.append(request)
    if let failure = setting.registrationFailure {
      return HTTPResponse(status: failure.status, body: HTTPBody(Array(failure.body.utf8)))
    }
    let type = request["application_type"]?.stringValue
    note("sep-837-application-type-present", type == "native", "application_type is \(type ?? "missing")")
    let grants = request["grant_types"]?.strings ?? []
    note("sep-2207-client-metadata-grant-types", grants.contains("refresh_token"), "no refresh_token")
    let id = state.next("client")
    let secret = setting.givesSecrets || setting.givesSecretsToAll ? state.next("secret") : nil
    state.clients[id] = (state.issuer, secret)
    var answer: JSONObject = [
      "client_id": .string(id), "redirect_uris": request["redirect_uris"] ?? [],
    ]
    if !setting.givesSecretsToAll {
      answer["token_endpoint_auth_method"] = request["token_endpoint_auth_method"] ?? "none"
    }
    if let secret { answer["client_secret"] = .string(secret) }
    return Self.json(201, .object(answer))
  }

  private mutating func authorize() -> HTTPResponse {
    let query = query
    state.authorizations.append(query)
    note("authorization-request")
    note("pkce-code-challenge-sent", query["code_challenge"]?.utf8.count == 43, "no challenge of 43 characters")
    note("pkce-s256-method-used", query["code_challenge_method"] == "S256", "another method than S256")
    note("resource-parameter-in-authorization", query["resource"] == resource, "\(query["resource"] ?? "no resource")")
    let id = query["client_id"] ?? ""
    if id.hasPrefix("https://"), setting.takesMetadataURLs {
      note("cimd-client-id-used")
      state.clients[id] = (state.issuer, nil)
    }
    guard let client = known(id), client.issuer == state.issuer else {
      note("authorization-request", false, "the client \(id) is not known here")
      return Self.json(400, ["error": "invalid_request"])
    }
    var back = FormFields()
    back.add("state", query["state"])
    if let instead = setting.redirectQuery {
      let location = "\(query["redirect_uri"] ?? "")?\(back.encoded)&\(instead)"
      return HTTPResponse(status: 302, headers: ["location": location])
    }
    let code = state.next("code")
    state.codes[code] = AuthorizationScene.Code(
      challenge: query["code_challenge"] ?? "", clientID: id, redirectURI: query["redirect_uri"] ?? "",
      scope: query["scope"] ?? "", resource: query["resource"] ?? "", issuer: state.issuer)
    back.add("code", code)
    back.add("iss", setting.redirectIssuer)
    return HTTPResponse(status: 302, headers: ["location": "\(query["redirect_uri"] ?? "")?\(back.encoded)"])
  }

  private mutating func token() -> HTTPResponse {
    guard let form = FormFields(String(decoding: body, as: UTF8.self)) else {
      return Self.json(400, ["error": "invalid_request"])
    }
    state.tokenRequests.append(form)
    note("token-request")
    if let failure = setting.tokenFailure {
      return HTTPResponse(status: failure.status, body: HTTPBody(Array(failure.body.utf8)))
    }
    note("resource-parameter-in-token", form["resource"] == resource, "\(form["resource"] ?? "no resource")")
    guard let client = authenticated(form) else { return Self.json(401, ["error": "invalid_client"]) }
    var thumbprint: String?
    if setting.bindsTokens, headers["dpop"] != nil {
      guard let proof = proof(token: nil), state.proofs.insert(proof.id).inserted else {
        note("sep-1932-client-token-request-proof", false, "not a proof")
        return Self.json(400, ["error": "invalid_dpop_proof"])
      }
      if setting.needsNonce, proof.nonce != "server-nonce" {
        return Self.json(400, ["error": "use_dpop_nonce"], headers: ["dpop-nonce": "server-nonce"])
      }
      if setting.needsNonce { note("sep-1932-client-as-nonce") }
      note("sep-1932-client-token-request-proof")
      thumbprint = proof.thumbprint
    }
    switch form["grant_type"] {
    case "authorization_code":
      guard let code = form["code"].flatMap({ state.codes.removeValue(forKey: $0) }), code.clientID == client,
        code.issuer == state.issuer, code.redirectURI == form["redirect_uri"], code.resource == form["resource"]
      else { return Self.json(400, ["error": "invalid_grant"]) }
      note("pkce-code-verifier-sent", form["code_verifier"] != nil, "no verifier")
      let hash = Base64URL.encode(SHA256.hash((form["code_verifier"] ?? "").utf8).bytes)
      note("pkce-verifier-matches-challenge", hash == code.challenge, "another verifier")
      guard hash == code.challenge else { return Self.json(400, ["error": "invalid_grant"]) }
      return issue(code.scope, client, thumbprint)
    case "refresh_token":
      note("refresh-token-grant-received")
      guard let refresh = form["refresh_token"], let held = state.refreshTokens[refresh], held.clientID == client,
        held.issuer == state.issuer
      else { return Self.json(400, ["error": "invalid_grant"]) }
      if setting.rotatesRefreshTokens { state.refreshTokens[refresh] = nil }
      return issue(held.scopes.joined(separator: " "), client, thumbprint)
    case "client_credentials":
      return issue(form["scope"] ?? "", client, thumbprint)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      note("wif-grant-type")
      guard let statement = form["assertion"],
        statement == "id-jag" || statement.hasPrefix("workload for \(state.issuer)")
      else { return Self.json(400, ["error": "invalid_grant"]) }
      if statement == "id-jag" { note("complete-flow-jwt-bearer") }
      return issue(form["scope"] ?? "", client, thumbprint)
    default:
      return Self.json(400, ["error": "unsupported_grant_type"])
    }
  }

  private mutating func issue(_ scope: String, _ client: String, _ thumbprint: String?) -> HTTPResponse {
    let token = state.next("token")
    let issued = AuthorizationScene.Issued(
      scopes: scope.split(separator: " ").map(String.init), resource: resource, clientID: client, issuer: state.issuer,
      thumbprint: thumbprint)
    state.tokens[token] = issued
    var answer: JSONObject = [
      "access_token": .string(token), "token_type": .string(thumbprint == nil ? "bearer" : "DPoP"),
    ]
    if let lifetime = setting.lifetime { answer["expires_in"] = JSONValue(lifetime) }
    if setting.issuesRefreshTokens {
      let refresh = state.next("refresh")
      state.refreshTokens[refresh] = issued
      answer["refresh_token"] = .string(refresh)
    }
    return Self.json(200, .object(answer), headers: ["cache-control": "no-store"])
  }

  private mutating func exchangeIdentity() -> HTTPResponse {
    let form = FormFields(String(decoding: body, as: UTF8.self)) ?? FormFields()
    let isRight =
      form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange" && form["subject_token"] == "id-token"
      && form["subject_token_type"] == "urn:ietf:params:oauth:token-type:id_token"
      && form["requested_token_type"] == "urn:ietf:params:oauth:token-type:id-jag"
      && form["audience"] == state.issuer && form["resource"] == resource && form["client_id"] == "idp-client"
    note("complete-flow-token-exchange", isRight, form.encoded)
    guard isRight else { return Self.json(400, ["error": "invalid_request"]) }
    return Self.json(
      200,
      [
        "access_token": "id-jag", "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag", "token_type": "N_A",
      ])
  }

  // MARK: - Who asks

  private func known(_ id: String) -> (issuer: String, secret: String?)? {
    if let given = setting.preRegistered, given.id == id { return (setting.issuer, given.secret) }
    return state.clients[id]
  }

  /// The client that a token request proves to come from.
  private mutating func authenticated(_ form: FormFields) -> String? {
    let methods = setting.methods ?? ["client_secret_basic"]
    if let statement = form["client_assertion"] {
      guard methods.contains("private_key_jwt"), let key = setting.clientKey,
        form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        let claims = verified(statement, key), claims["aud"]?.stringValue == state.issuer,
        claims["iss"]?.stringValue == setting.preRegistered?.id, claims["sub"] == claims["iss"],
        claims["jti"]?.stringValue != nil, (claims["exp"]?.intValue ?? 0) - (claims["iat"]?.intValue ?? 0) == 300
      else { return nil }
      note("client-credentials-jwt-verified")
      return setting.preRegistered?.id
    }
    if let basic = headers["authorization"] {
      guard methods.contains("client_secret_basic"), basic.hasPrefix("Basic "),
        let pair = Base64URL.decode(
          basic.dropFirst(6).map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
            .replacing("=", with: "")),
        form["client_secret"] == nil
      else { return nil }
      let parts = String(decoding: pair, as: UTF8.self).split(separator: ":", maxSplits: 1)
        .compactMap { PercentEscapes.decoded($0) }
      guard parts.count == 2, let client = known(parts[0]), client.secret == parts[1] else { return nil }
      note("token-endpoint-auth-method")
      if setting.preRegistered != nil {
        note("pre-registration-auth")
        if form["grant_type"] == "client_credentials" { note("client-credentials-basic-auth") }
      }
      return parts[0]
    }
    guard let id = form["client_id"], let client = known(id) else { return nil }
    if let secret = client.secret, !(setting.givesSecretsToAll && methods.contains("none")) {
      guard methods.contains("client_secret_post"), form["client_secret"] == secret else { return nil }
    } else {
      guard methods.contains("none"), form["client_secret"] == nil else { return nil }
    }
    note("token-endpoint-auth-method")
    return id
  }

  private func verified(_ token: String, _ key: ES256PublicKey) -> JSONValue? {
    let parts = token.split(separator: ".")
    guard parts.count == 3, let signature = Base64URL.decode(parts[2]),
      key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8)), let claims = Base64URL.decode(parts[1])
    else { return nil }
    return try? JSONValue(parsing: claims)
  }

  private func proof(token: String?) -> (thumbprint: String, id: String, nonce: String?)? {
    let values = headers.values(for: "dpop")
    guard values.count == 1, let head = values[0].split(separator: ".").first.flatMap({ Base64URL.decode($0) }),
      let header = try? JSONValue(parsing: head), header["typ"] == "dpop+jwt", header["alg"] == "ES256",
      let jwk = header["jwk"], jwk["d"] == nil, let x = jwk["x"]?.stringValue, let y = jwk["y"]?.stringValue,
      let xBytes = Base64URL.decode(x), let yBytes = Base64URL.decode(y),
      let key = try? ES256PublicKey(point: [4] + xBytes + yBytes), let claims = verified(values[0], key),
      claims["htm"]?.stringValue == method.rawValue, claims["htu"]?.stringValue == plainURL,
      let id = claims["jti"]?.stringValue, claims["iat"]?.intValue != nil
    else { return nil }
    if let token {
      guard claims["ath"]?.stringValue == Base64URL.encode(SHA256.hash(token.utf8).bytes) else { return nil }
    }
    // RFC 7638.
    let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    return (SHA256.hash(canonical.utf8).hex, id, claims["nonce"]?.stringValue)
  }
}
