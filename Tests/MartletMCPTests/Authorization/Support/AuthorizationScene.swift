import Martlet
import MartletCrypto
import MartletHTTP
import MartletJSON
import MartletSync
import MartletTesting

@testable import MartletMCP

/// A protected server and its authorization server in process. They are strict: what a client does wrong is refused and
/// noted in `problems`; what it does right is noted in `checks`, by the names that the official suite gives it.
final class AuthorizationScene: HTTPTransport {
  struct Code: Sendable {
    var challenge: String
    var clientID: String
    var redirectURI: String
    var scope: String
    var resource: String
    var issuer: String
  }

  struct Issued: Sendable {
    var scopes: [String]
    var resource: String
    var clientID: String
    var issuer: String
    var thumbprint: String?
  }

  struct State: Sendable {
    var setting: Setting
    var checks: Set<String> = []
    var problems: [String] = []
    /// Method and URL of every request, without the query.
    var requests: [String] = []
    var clients: [String: (issuer: String, secret: String?)] = [:]
    var codes: [String: Code] = [:]
    var tokens: [String: Issued] = [:]
    var refreshTokens: [String: Issued] = [:]
    var proofs: Set<String> = []
    var authorizations: [FormFields] = []
    var tokenRequests: [FormFields] = []
    var registrations: [JSONValue] = []
    var hasMigrated = false
    var count = 0

    mutating func next(_ what: String) -> String {
      count += 1
      return "\(what)-\(count)"
    }

    var issuer: String { hasMigrated ? setting.migratesTo ?? setting.issuer : setting.issuer }
  }

  let state: Locked<State>
  /// Lets a test hold up requests to a URL that ends so.
  let held = Locked<(suffix: String, gate: Gate)?>(nil)

  init(_ setting: Setting = Setting()) {
    let setting = setting
    state = Locked(State(setting: setting))
  }

  var checks: Set<String> { state.withLock { $0.checks } }
  var problems: [String] { state.withLock { $0.problems } }
  var requests: [String] { state.withLock { $0.requests } }
  var authorizations: [FormFields] { state.withLock { $0.authorizations } }
  var tokenRequests: [FormFields] { state.withLock { $0.tokenRequests } }
  var registrations: [JSONValue] { state.withLock { $0.registrations } }
  var serverURL: String { state.withLock { $0.setting.resourceBase } + "/mcp" }

  func change(_ body: (inout Setting) -> Void) { state.withLock { body(&$0.setting) } }
  func forgetTokens() { state.withLock { $0.tokens = [:] } }
  func forgetClients() { state.withLock { $0.clients = [:] } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if let (suffix, gate) = held.withLock({ $0 }), request.url.hasSuffix(suffix) {
      try await gate.waitUnlessCancelled()
    }
    var bytes: [UInt8] = []
    if case .bytes(let body) = request.body { bytes = body }
    return answer(request.method, request.url, request.headers, bytes)
  }

  func answer(_ method: HTTPRequest.Method, _ url: String, _ headers: HTTPHeaders, _ body: [UInt8]) -> HTTPResponse {
    state.withLock { state in
      var exchange = SceneExchange(state: state, method: method, url: url, headers: headers, body: body)
      let response = exchange.respond()
      state = exchange.state
      return response
    }
  }
}
