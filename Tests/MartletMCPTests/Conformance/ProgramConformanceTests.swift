#if os(Linux)
  import Testing

  @testable import MartletMCP

  /// The same scenarios played by the two programs that the official suite is pointed at, over real HTTP, one after the
  /// other as the suite has it.
  @Suite(.serialized, PrintsConformance(isProgram: true)) struct ProgramConformanceTests {
    /// One process for all scenarios, as the suite has it.
    @Test(.hangLimit) func `the server's program passes all scenarios, one after the other`() async throws {
      try await BuiltProgram.withServer { url in
        for item in ConformanceCase.server {
          let verdicts = Verdicts(item, isProgram: true)
          let scenario = try #require(ServerScenarios.all[item.name])
          do {
            try await scenario(RawPeer(url, item.revision), verdicts)
            verdicts.settle()
          } catch {
            verdicts.settle(error)
          }
        }
      }
    }

    @Test(.hangLimit, arguments: ConformanceCase.client)
    func `the client's program passes the scenario`(_ item: ConformanceCase) async throws {
      let verdicts = Verdicts(item, isProgram: true)
      do {
        if let authorization = try AuthorizationConformance.make(item.name) {
          try await authorization.runProgram(item, verdicts)
        } else {
          try await #require(ClientScenarios.make(item.name)).runProgram(item, verdicts)
        }
        verdicts.settle()
      } catch {
        verdicts.settle(error)
      }
    }

  }
#endif
