import Martlet
import MartletHTTP
import MartletJSON
import Testing

@testable import MartletMCP

@Suite struct ResourceGuardTests {
  private struct Table: TokenValidator {
    func validate(_ token: String) async throws -> AccessGrant? {
      switch token {
      case "good": AccessGrant(scopes: ["read"], audience: ["https://mcp.example.com/mcp"])
      case "slash": AccessGrant(scopes: ["read"], audience: ["https://x.example", "https://mcp.example.com/mcp/"])
      case "other": AccessGrant(scopes: ["read"], audience: ["https://other.example/mcp"])
      case "nobody": AccessGrant(scopes: ["read"], audience: [])
      case "old":
        AccessGrant(
          scopes: ["read"], expiry: Timestamp(milliseconds: 999), audience: ["https://mcp.example.com/mcp"])
      case "broken": throw AuthorizationError(.unreachable, "no database")
      default: nil
      }
    }
  }

  private func makeGuard() throws -> ResourceGuard {
    try ResourceGuard(
      metadata: ProtectedResourceMetadata(
        resource: "https://mcp.example.com/mcp", authorizationServers: ["https://auth.example.com"],
        scopesSupported: ["read", "write"], name: "Example"),
      validator: Table(), requiredScopes: ["read"], now: { Timestamp(milliseconds: 1_000) })
  }

  private func refusal(_ headers: HTTPHeaders, scopes: [String] = []) async throws -> AccessRefusal? {
    do {
      _ = try await makeGuard().check(headers, scopes: scopes)
      return nil
    } catch let refusal as AccessRefusal {
      return refusal
    }
  }

  @Test func `a token for this server is let in`() async throws {
    #expect(try await makeGuard().check(["authorization": "Bearer good"]).scopes == ["read"])
    #expect(try await makeGuard().check(["Authorization": "bearer slash"]).scopes == ["read"])
  }

  @Test func `without a token the challenge names no error`() async throws {
    let refusal = try #require(try await refusal([:]))
    #expect(refusal.status == 401)
    #expect(
      refusal.response.headers["www-authenticate"]
        == #"Bearer scope="read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#
    )
  }

  @Test(arguments: ["other", "nobody", "old", "unknown", "Bearer", "a b", "é"])
  func `a token that is for another, old or unknown is refused`(token: String) async throws {
    let refusal = try #require(try await refusal(["authorization": "Bearer \(token)"]))
    #expect(refusal.status == 401)
    #expect(refusal.challenge?["error"] == "invalid_token")
    #expect(!"\(refusal)".contains(token) || token == "a b")
  }

  @Test func `other refusals`() async throws {
    #expect(try await refusal(["authorization": "Basic good"])?.status == 401)
    let twice = HTTPHeaders([("authorization", "Bearer good"), ("authorization", "Bearer good")])
    #expect(try await refusal(twice)?.status == 400)
    let scope = try #require(try await refusal(["authorization": "Bearer good"], scopes: ["write"]))
    #expect(scope.status == 403)
    #expect(scope.challenge?["error"] == "insufficient_scope")
    #expect(scope.challenge?["scope"] == "read write")
    let broken = try #require(try await refusal(["authorization": "Bearer broken"]))
    #expect(broken.status == 503 && broken.headers.isEmpty)
  }

  @Test func `the document is what a client reads`() throws {
    let made = try makeGuard()
    #expect(made.metadataPath == "/.well-known/oauth-protected-resource/mcp")
    #expect(try ProtectedResourceMetadata(made.document) == made.metadata)
    #expect(made.document["bearer_methods_supported"] == ["header"])
    #expect(throws: AuthorizationError.self) {
      try ResourceGuard(
        metadata: ProtectedResourceMetadata(resource: "mcp", authorizationServers: ["https://a.example"]),
        validator: Table())
    }
  }
}
