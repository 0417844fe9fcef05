import Martlet
import MartletHTTP
import MartletJSON
import MartletSync

@testable import MartletMCP

/// A client of a scene's server, on a clock that stands still until it is told otherwise.
struct SceneClient: Sendable {
  let scene: AuthorizationScene
  let authorizer: OAuthAuthorizer
  let time: Locked<Timestamp>

  init(
    _ scene: AuthorizationScene, _ configuration: OAuthConfiguration = OAuthConfiguration(),
    store: any TokenStore = InMemoryTokenStore(), userAgent: (any AuthorizationUserAgent)? = nil, isAlone: Bool = false
  ) throws {
    let time = Locked(Timestamp(milliseconds: 1_800_000_000_000))
    self.scene = scene
    self.time = time
    let agent: (any AuthorizationUserAgent)? =
      isAlone ? nil : userAgent ?? HeadlessUserAgent(transport: scene, redirectURI: "http://localhost:3000/callback")
    authorizer = try OAuthAuthorizer(
      server: scene.serverURL, configuration: configuration, transport: scene, store: store, userAgent: agent,
      now: { time.withLock { $0 } })
  }

  func pass(_ duration: Duration) {
    time.withLock { $0.milliseconds += duration.components.seconds * 1000 }
  }

  @discardableResult
  func call(_ method: String = "tools/list") async throws -> Int {
    let body = JSONValue.object(["method": .string(method)]).bytes()
    let request = HTTPRequest(.post, scene.serverURL, body: .bytes(body))
    return try await AuthorizedTransport(scene, authorizer: authorizer).send(request).status
  }

  /// The code of what a call throws.
  func failure(_ method: String = "tools/list") async -> AuthorizationError? {
    do {
      try await call(method)
      return nil
    } catch {
      return error as? AuthorizationError
    }
  }
}
