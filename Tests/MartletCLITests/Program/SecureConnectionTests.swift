#if os(Linux)
  import Foundation
  import MartletHTTPServer
  import MartletProcess
  import MartletSimulators
  import MartletSync
  import Testing

  /// The built program over TLS and through proxies, against real ones: Python's TLS with a certificate that the command
  /// `openssl` makes, in front of a simulator.
  @Suite(.timeLimit(.minutes(3)), .enabled(if: Relay.isPossible, Relay.reason))
  struct `martlet over TLS and through proxies` {
    static let model = "anthropic/claude-opus-5"

    private func program(_ environment: [String: String]) throws -> Program {
      var program = try Program()
      program.environment["ANTHROPIC_API_KEY"] = "sk-very-secret-key"
      program.environment.merge(environment) { $1 }
      return program
    }

    private func run(_ environment: [String: String], _ url: String) async throws -> Program.Outcome {
      let outcome = try await program(environment).run(["run", "hi", "--model", Self.model, "--base-url", url])
      #expect(!(outcome.output + outcome.error).contains("secret"))
      return outcome
    }

    private func withSimulator(_ body: (ProviderSimulator, HTTPServer) async throws -> Void) async throws {
      let simulator = ProviderSimulator(
        .anthropic, script: SimulatorScript([.text("Hi there.", pieceSize: 1)], repeatsLastReply: true))
      try await simulator.withServer { try await body(simulator, $0) }
    }

    @Test func `a server's certificate must be one that is trusted, for its name`() async throws {
      let home = try TemporaryDirectory()
      let certificate = try await Relay.certificate(for: "localhost", in: home)
      try await withSimulator { simulator, server in
        try await Relay.withTLS(certificate, to: server.port) { port in
          let url = "https://localhost:\(port)"
          let trusted = try await run(["SSL_CERT_FILE": certificate.file], url)
          #expect(trusted.output == "Hi there.\n", "\(trusted.error)")
          #expect(simulator.violations == [])

          let unknown = try await run([:], url)
          #expect(unknown.status == 1)
          #expect(unknown.error.contains("No trusted connection to \(url)"), "\(unknown.error)")
          #expect(!unknown.error.contains("asked again"), "trying again does not help")

          let named = try await run(["SSL_CERT_FILE": certificate.file], "https://127.0.0.1:\(port)")
          #expect(named.status == 1)
          #expect(named.error.contains("No trusted connection"), "\(named.error)")

          let missing = try await run(["SSL_CERT_FILE": home.path + "/none.pem"], url)
          #expect(missing.status == 1)
          #expect(missing.error.contains("none.pem"), "\(missing.error)")
          #expect(simulator.exchanges.count == 1)
        }
      }
    }

    @Test func `requests go through the proxies that the environment names`() async throws {
      let home = try TemporaryDirectory()
      let certificate = try await Relay.certificate(for: "localhost", in: home)
      try await withSimulator { simulator, server in
        try await Relay.withProxy { proxy, seen in
          let plain = try await run(["http_proxy": "http://127.0.0.1:\(proxy)"], server.url)
          #expect(plain.output == "Hi there.\n", "\(plain.error)")
          #expect(seen().last == "POST \(server.url)/v1/messages")

          try await Relay.withTLS(certificate, to: server.port) { port in
            var environment = ["SSL_CERT_FILE": certificate.file, "https_proxy": "http://127.0.0.1:\(proxy)"]
            let through = try await run(environment, "https://localhost:\(port)")
            #expect(through.output == "Hi there.\n", "\(through.error)")
            #expect(seen().last == "CONNECT localhost:\(port)")

            let before = seen().count
            environment["no_proxy"] = "localhost"
            let around = try await run(environment, "https://localhost:\(port)")
            #expect(around.output == "Hi there.\n", "\(around.error)")
            #expect(seen().count == before)
          }
        }
        #expect(simulator.violations == [])
      }
    }

    @Test func `a proxy that is not there is told without its password`() async throws {
      // Port 1 is none that the system gives to a program that asks for any.
      let program = try program(["https_proxy": "http://user:secret@127.0.0.1:1"])
      let outcome = try await program.run(["run", "hi", "--model", Self.model, "-vv"])
      #expect(outcome.status != 0)
      #expect(outcome.error.contains("error: "))
      #expect(!(outcome.output + outcome.error).contains("secret"), "\(outcome.error)")
    }
  }

  /// Runs `Tests/Peers/relay.py`.
  enum Relay {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(where: isProgram)
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(where: isProgram)
    static var isPossible: Bool { python != nil && openssl != nil }
    static let reason: Comment = "skipped: these tests need python3 and the command openssl"

    private static func isProgram(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Certificate {
      let file: String
      let key: String
    }

    /// A certificate that signs itself, for a name.
    static func certificate(for name: String, in home: TemporaryDirectory) async throws -> Certificate {
      let certificate = Certificate(file: home.path + "/\(name).pem", key: home.path + "/\(name).key")
      let result = try await ProcessCommand(
        openssl ?? "",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
          "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout", certificate.key, "-out", certificate.file,
        ]
      ).run()
      #expect(result.status.shellStatus == 0, "\(result.error.text())")
      return certificate
    }

    static func withTLS(
      _ certificate: Certificate, to port: UInt16, _ body: (_ port: String) async throws -> Void
    ) async throws {
      try await withRelay(["tls", certificate.file, certificate.key, "\(port)"]) { port, _ in try await body(port) }
    }

    /// - Parameter body: gets the port, and the first lines of the requests so far.
    static func withProxy(_ body: (_ port: String, _ seen: @escaping () -> [String]) async throws -> Void) async throws
    {
      try await withRelay(["proxy"], body)
    }

    private static func withRelay(
      _ arguments: [String], _ body: (_ port: String, _ lines: @escaping () -> [String]) async throws -> Void
    ) async throws {
      let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Peers"
      let child = try await ChildProcess.start(
        ProcessCommand(python ?? "", [folder + "/relay.py"] + arguments, standardError: .merged))
      let lines = Locked("")
      let arrived = Wakeup()
      let draining = Task {
        for try await bytes in child.output {
          lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
          arrived.set()
        }
      }
      func seen() -> [String] { lines.withLock { $0 }.split(separator: "\n").map(String.init) }
      func end() async {
        await child.shutDown(inputGrace: .zero, terminateGrace: .seconds(1))
        draining.cancel()
        _ = await draining.result
      }
      do {
        while !lines.withLock({ $0.contains("\n") }) {
          await arrived.wait()
          try Task.checkCancellation()
        }
        try await body(seen()[0]) { Array(seen().dropFirst()) }
      } catch {
        await end()
        throw error
      }
      await end()
    }
  }
#endif
