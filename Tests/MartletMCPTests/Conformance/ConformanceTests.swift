import MartletHTTPServer
import MartletMCPFixtures
import Testing

@testable import MartletMCP

/// The scenarios of the official conformance suite (0.2.0-alpha.11), each on every wire it is about, against the fixtures
/// that the suite itself can be pointed at. What is sent and looked at here is ours; the names are the suite's.
@Suite(PrintsConformance(isProgram: false)) struct ConformanceTests {
  @Test(.hangLimit, arguments: ConformanceCase.server)
  func `a server passes the scenario`(_ item: ConformanceCase) async throws {
    let verdicts = Verdicts(item)
    let scenario = try #require(ServerScenarios.all[item.name])
    let server = FixtureServer.make(pause: .milliseconds(1))
    let handler = MCPHTTPHandler(server, configuration: .init(retryDelay: .milliseconds(10)))
    do {
      try await HTTPServer.withServer(routes: FixtureHost.routes(handler)) { network in
        do {
          try await scenario(RawPeer(network.url + "/mcp", item.revision), verdicts)
        } catch {
          await handler.close()
          throw error
        }
        await handler.close()
      }
      verdicts.settle()
    } catch {
      verdicts.settle(error)
    }
    await server.close()
  }

  @Test(.hangLimit, arguments: ConformanceCase.client)
  func `a client passes the scenario`(_ item: ConformanceCase) async throws {
    let verdicts = Verdicts(item)
    do {
      if let authorization = try AuthorizationConformance.make(item.name) {
        try await authorization.run(item, verdicts)
      } else {
        try await #require(ClientScenarios.make(item.name)).run(item, verdicts)
      }
      verdicts.settle()
    } catch {
      verdicts.settle(error)
    }
  }

  @Test func `the table has all scenarios, and as many required ones as the suite`() {
    #expect(Set(ConformanceCase.server.map(\.name)).count == 62)
    #expect(Set(ConformanceCase.client.map(\.name)).count == 44)
    func count(_ cases: [ConformanceCase], _ set: String) -> Int { cases.count { $0.set == set } }
    #expect(count(ConformanceCase.server, "2025-11-25") == 30)
    #expect(count(ConformanceCase.server, "2026-07-28") == 37)
    #expect(count(ConformanceCase.client, "2025-11-25") == 18)
    #expect(count(ConformanceCase.client, "2026-07-28") == 32)
  }
}
