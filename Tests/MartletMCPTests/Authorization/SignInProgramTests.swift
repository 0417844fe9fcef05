#if os(Linux)
  import Foundation
  import MartletHTTP
  import MartletJSON
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  /// The command at a terminal, a server that wants a token, and a person in a browser, who is the test.
  @Suite(.hangLimit) struct SignInProgramTests {
    /// What a person sees at the terminal, and how the command ended.
    private struct Outcome {
      var status: Int32?
      var text: String
      /// Pages that were opened.
      var pages: [String]
    }

    private let home: String

    init() throws {
      home = FileManager.default.temporaryDirectory.appending(path: "sign-in-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    }

    private func environment() -> [String: String] {
      BuiltProgram.sanitizerOptions.merging([
        "HOME": home, "PATH": "/usr/bin:/bin", "MARTLET_DATA": home + "/data", "TERM": "dumb",
      ]) { $1 }
    }

    /// Runs a command at a terminal of its own; agrees to whatever page is shown, unless `agrees` says no.
    private func attended(_ arguments: [String], agrees: Bool = true) async throws -> Outcome {
      let line = ([try BuiltProgram.path("martlet")] + arguments).map { "'\($0)'" }.joined(separator: " ")
      let child = try await ChildProcess.start(
        ProcessCommand(
          "/usr/bin/script", ["-qec", line, "/dev/null"], environment: environment(), workingDirectory: home))
      var outcome = Outcome(text: "", pages: [])
      for try await chunk in child.output {
        outcome.text += String(decoding: chunk, as: UTF8.self)
        for line in outcome.text.split(whereSeparator: \.isNewline) where line.hasPrefix("http://localhost:") {
          let page = String(line)
          guard outcome.text.contains(page + "\r\n"), !outcome.pages.contains(page) else { continue }
          outcome.pages.append(page)
          try await visit(page, agrees: agrees)
        }
      }
      outcome.status = try await child.waitForExit().shellStatus
      return outcome
    }

    /// What a browser does: asks for the page, and goes where it is sent.
    private func visit(_ page: String, agrees: Bool) async throws {
      let consent = try await SystemTransport.shared.send(HTTPRequest(.get, page))
      consent.body.finish()
      let target = try #require(consent.headers["location"])
      #expect(target.hasPrefix("http://127.0.0.1:"))
      // Somebody else's redirect comes first, and is not believed.
      let other = target.replacing("state=", with: "state=x")
      for target in [other, agrees ? target : target.replacing("code=", with: "error=access_denied&x=")] {
        try await SystemTransport.shared.send(HTTPRequest(.get, target)).body.finish()
      }
    }

    private func unattended(_ arguments: [String]) async throws -> Outcome {
      let result = try await BuiltProgram.command(
        "martlet", arguments, environment: environment(), workingDirectory: home
      ).run()
      return Outcome(
        status: result.status.shellStatus, text: result.output.text() + result.error.text(), pages: [])
    }

    private func withScene(
      _ setting: @Sendable (inout AuthorizationScene.Setting) -> Void,
      _ body: (AuthorizationScene) async throws -> Void
    ) async throws {
      let scene = AuthorizationScene()
      let server = ProtectedServer(scene, .november2025)
      try await LocalServers.with(4) { request in
        try await server.send(request)
      } _: { origins async throws in
        var new = AuthorizationScene.Setting()
        setting(&new)
        new.move(to: origins)
        scene.change { $0 = new }
        let servers: JSONValue = ["mcpServers": ["tickets": ["url": .string(scene.serverURL)]]]
        try Data(servers.bytes()).write(to: URL(filePath: home + "/mcp.json"))
        try await body(scene)
      }
      try FileManager.default.removeItem(atPath: home)
    }

    private let call = ["mcp", "call", "tickets", "test-tool", "{}", "--mcp", "mcp.json"]

    @Test func `a person signs in once, agrees to more when a call needs it, and is not asked to renew`() async throws {
      try await withScene {
        $0.challengeScope = "mcp:basic"
        $0.requiredScopes = ["mcp:basic"]
        $0.issuesRefreshTokens = true
        // Only the challenge says where.
        $0.metadataPath = "/custom/metadata.json"
      } _: { scene in
        let nobody = try await unattended(call)
        #expect(nobody.status == 1 && nobody.text.contains("nobody can be asked"), "\(nobody.text)")

        let first = try await attended(call)
        #expect(first.status == 0 && first.text.contains("ok"), "\(first.text)")
        #expect(first.pages.count == 1)
        #expect(scene.registrations.count == 1 && scene.problems.isEmpty, "\(scene.problems)")
        #expect(AuthorizationScenarioTests.common.isSubset(of: scene.checks))
        #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic"])
        let kept = home + "/data/mcp-tokens"
        for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
          let attributes = try FileManager.default.attributesOfItem(atPath: "\(kept)/\(name)")
          #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
        }

        // Nobody is needed for what was agreed to.
        let second = try await unattended(call)
        #expect(second.status == 0, "\(second.text)")

        scene.change { $0.callScopes = ["mcp:write"] }
        let refused = try await unattended(call)
        #expect(refused.status == 1, "\(refused.text)")
        let more = try await attended(call)
        #expect(more.status == 0 && more.pages.count == 1, "\(more.text)")
        #expect(scene.authorizations.last?["scope"] == "mcp:basic mcp:write")
        #expect(scene.registrations.count == 1)

        // The server no longer takes the token: the refresh token gets another, without anybody.
        scene.forgetTokens()
        let renewed = try await unattended(call)
        #expect(renewed.status == 0, "\(renewed.text)")
        #expect(scene.checks.contains("refresh-token-grant-received"))
        #expect(scene.authorizations.count == 2 && scene.problems.isEmpty, "\(scene.problems)")
      }
    }

    @Test func `a person who does not agree is told so, and no call is made`() async throws {
      try await withScene {
        $0.issuesRefreshTokens = true
      } _: { scene in
        let outcome = try await attended(call, agrees: false)
        #expect(outcome.status == 1, "\(outcome.text)")
        #expect(outcome.pages.count == 1 && scene.tokenRequests.isEmpty)
      }
    }
  }
#endif
