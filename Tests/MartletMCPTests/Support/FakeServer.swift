import MartletJSON
import MartletSync

@testable import MartletMCP

/// A server in the same process that does what a test tells it to.
final class FakeServer: Sendable {
  typealias Answer = @Sendable (FakeServer, MCPRequestID, String, JSONObject) async throws -> JSONObject?

  private let transport: InProcessTransport
  private let answer: Answer
  private let received = Locked<[MCPMessage]>([])

  /// - Parameter answer: nil leaves a request without an answer.
  init(_ transport: InProcessTransport, answer: @escaping Answer) {
    self.transport = transport
    self.answer = answer
  }

  /// All that has come so far.
  var messages: [MCPMessage] { received.withLock { $0 } }
  func messages(_ method: String) -> [MCPMessage] { messages.filter { $0.method == method } }

  func send(_ message: MCPMessage) async throws { try await transport.send(message, MCPSendContext()) }

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      while let incoming = try? await transport.receive() {
        guard case .message(let message) = incoming else { continue }
        received.withLock { $0.append(message) }
        guard case .request(let id, let method, let params) = message else { continue }
        group.addTask {
          do {
            guard let result = try await self.answer(self, id, method, params ?? [:]) else { return }
            try? await self.send(.result(id, result))
          } catch let error as MCPErrorObject {
            try? await self.send(.failure(id, error))
          } catch {}
        }
      }
      group.cancelAll()
    }
  }

  /// Runs `body` with a client of a server that introduces itself by a revision and answers the rest as told.
  static func with<Result>(
    _ revision: MCPRevision = .latest, capabilities: JSONValue = ["tools": [:], "resources": [:], "prompts": [:]],
    configuration: MCPClient.Configuration = MCPClient.Configuration(), answer: @escaping Answer,
    _ body: @Sendable (MCPClient, FakeServer) async throws -> Result
  ) async throws -> Result {
    let (near, far) = InProcessTransport.pair()
    let server = FakeServer(far) { server, id, method, params in
      if let result = try introduce(method, params, revision, capabilities) { return result }
      return try await answer(server, id, method, params)
    }
    async let running: Void = server.run()
    var configuration = configuration
    // With a clock of the test's own time stands still anyway.
    if configuration.clock is ContinuousClock { configuration.timeouts = .patient }
    let client = MCPClient(near, configuration: configuration)
    do {
      let result = try await body(client, server)
      await client.close()
      await running
      return result
    } catch {
      await client.close()
      await running
      throw error
    }
  }

  static func introduce(
    _ method: String, _ params: JSONObject, _ revision: MCPRevision, _ capabilities: JSONValue
  ) throws -> JSONObject? {
    switch (method, revision.era) {
    case ("server/discover", .modern):
      return [
        "resultType": "complete", "supportedVersions": [.string(revision.rawValue)], "capabilities": capabilities,
        "ttlMs": 0, "cacheScope": "private",
        "_meta": ["io.modelcontextprotocol/serverInfo": ["name": "fake", "version": "1"]],
      ]
    case ("initialize", .legacy):
      return [
        "protocolVersion": .string(revision.rawValue), "capabilities": capabilities,
        "serverInfo": ["name": "fake", "version": "1"], "instructions": "be kind",
      ]
    case ("server/discover", .legacy), ("initialize", .modern):
      throw MCPErrorObject(.methodNotFound, "there is no \(method)")
    default: return nil
    }
  }
}

extension MCPClient.Timeouts {
  /// A busy machine must not look like a silent server.
  static let patient = Self(start: .seconds(300), probe: .seconds(300), request: .seconds(300))
}

extension MCPServerPool.Configuration {
  /// One that is as patient.
  static var patient: Self {
    var configuration = Self(startTimeout: .seconds(300))
    configuration.client.timeouts = .patient
    return configuration
  }
}
