import Martlet
import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct TokenStoreTests {
  private func grant(_ issuer: String, _ server: String, _ client: String, _ token: String = "t") throws -> OAuthGrant {
    let response: JSONValue = ["access_token": .string(token), "refresh_token": "r", "expires_in": 60, "scope": "a b"]
    return OAuthGrant(
      key: OAuthGrant.Key(issuer: issuer, server: server, clientID: client),
      token: try OAuthToken(response, at: Timestamp(milliseconds: 1_000)), resource: server,
      requested: ScopeSet(["a", "b"]),
      endpoint: TokenEndpoint(url: issuer + "/token", issuer: issuer, authenticationMethods: ["none"]))
  }

  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/tokens-\(UUID().uuidString)"
    do {
      try await body(directory)
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw error
    }
    try FileManager.default.removeItem(atPath: directory)
  }

  private func mode(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_mode & 0o777) : nil
  }

  @Test func `what is kept comes back, by server, issuer and client`() async throws {
    try await withDirectory { directory in
      for store in [FileTokenStore(directory: directory), InMemoryTokenStore()] as [any TokenStore] {
        let first = try grant("https://a.example", "https://s.example/mcp", "one")
        let second = try grant("https://b.example", "https://s.example/mcp", "one", "u")
        try await store.save(first)
        try await store.save(second)
        try await store.save(try grant("https://a.example", "https://s.example/mcp2", "one"))
        #expect(Set(try await store.grants(server: "https://s.example/mcp")) == [first, second])
        var changed = first
        changed.token = nil
        try await store.save(changed)
        #expect(Set(try await store.grants(server: "https://s.example/mcp")) == [changed, second])
        try await store.removeGrants(server: "https://s.example/mcp")
        #expect(try await store.grants(server: "https://s.example/mcp").isEmpty)
        #expect(try await store.grants(server: "https://s.example/mcp2").count == 1)

        let registration = try ClientRegistration(
          ["client_id": "c", "client_secret": "s", "client_secret_expires_at": 99], issuer: "https://a.example",
          redirectURI: "http://127.0.0.1:1/callback")
        try await store.save(registration)
        #expect(try await store.registration(issuer: "https://a.example") == registration)
        #expect(try await store.registration(issuer: "https://a.example/") == nil)
        try await store.removeRegistration(issuer: "https://a.example")
        #expect(try await store.registration(issuer: "https://a.example") == nil)
      }
    }
  }

  @Test func `files are the user's alone, and their names say nothing`() async throws {
    try await withDirectory { directory in
      let store = FileTokenStore(directory: directory)
      #expect(try await store.grants(server: "https://s.example").isEmpty)
      try await store.save(try grant("https://a.example", "https://s.example", "one"))
      #expect(mode(directory) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names.count == 1)
      for name in names {
        #expect(mode("\(directory)/\(name)") == 0o600)
        #expect(!name.contains("example"))
      }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o644])
  func `a file that others may read is refused`(mode: Int) async throws {
    try await withDirectory { directory in
      let store = FileTokenStore(directory: directory)
      try await store.save(try grant("https://a.example", "https://s.example", "one"))
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first)
      #expect(chmod("\(directory)/\(name)", mode_t(mode)) == 0)
      await #expect {
        try await store.grants(server: "https://s.example")
      } throws: { error in
        (error as? AuthorizationError)?.code == .storage
      }
      // Keeping a new one puts it right.
      try await store.save(try grant("https://a.example", "https://s.example", "one"))
      #expect(try await store.grants(server: "https://s.example").count == 1)
    }
  }

  @Test func `a damaged file locks nobody out`() async throws {
    try await withDirectory { directory in
      let store = FileTokenStore(directory: directory)
      try await store.save(try grant("https://a.example", "https://s.example", "one"))
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first)
      let path = "\(directory)/\(name)"
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      for length in stride(from: 0, to: bytes.count, by: 17) {
        let file = try StorageFile(path)
        try file.truncate(to: 0)
        try file.write(Array(bytes[..<length]), at: 0)
        #expect(try await store.grants(server: "https://s.example").isEmpty)
      }
      try await store.save(try grant("https://a.example", "https://s.example", "one"))
      #expect(try await store.grants(server: "https://s.example").count == 1)
    }
  }

  @Test func `tokens outlive the process`() async throws {
    try await withDirectory { directory in
      var setting = AuthorizationScene.Setting()
      setting.issuesRefreshTokens = true
      let scene = AuthorizationScene(setting)
      try await SceneClient(scene, store: FileTokenStore(directory: directory)).call()
      let later = try SceneClient(scene, store: FileTokenStore(directory: directory), isAlone: true)
      #expect(try await later.call() == 200)
      later.pass(.seconds(4_000))
      #expect(try await later.call() == 200)
      #expect(scene.authorizations.count == 1)
    }
  }
}
