#if os(Linux)
  import Martlet
  import MartletHTTP
  import MartletHTTPServer
  import MartletProviders
  import MartletSimulators
  import MartletTesting
  import Testing

  /// The agent with each client, over a real connection to the simulator.
  @Suite(.timeLimit(.minutes(5))) struct AgentOverHTTPTests {
    let transport = CurlTransport(.init(proxy: .none))

    private func agent(_ tested: ProviderUnderTest, _ server: HTTPServer, retries: Int = 0) throws -> Agent {
      Agent(
        model: tested.makeModel("sk-test", server.url, transport), tools: try ToolRegistry([AddTool()]),
        configuration: AgentConfiguration(retries: retries))
    }

    @Test(arguments: ProviderUnderTest.all)
    func `a run with tools`(_ tested: ProviderUnderTest) async throws {
      let simulator = ProviderSimulator(tested.provider, script: AgentAgainstSimulatorTests.script)
      try await simulator.withServer { server in
        #expect(try await agent(tested, server).send("Add.") == AgentAgainstSimulatorTests.answer)
        #expect(simulator.violations == [])
        let verdict = try await transport.send(HTTPRequest(.get, server.url + "/_simulator/verdict"))
        let body = String(decoding: try await verdict.body.bytes(limit: 10_000), as: UTF8.self)
        #expect(body == #"{"requests":3,"refused":0,"violations":[]}"#)
      }
    }

    @Test(arguments: ProviderUnderTest.all, [0, 3_000])
    func `a broken connection is an error, before and after content`(_ tested: ProviderUnderTest, _ bytes: Int)
      async throws
    {
      try await expect(.connection, of: tested, SimulatedFault(cutAfter: bytes))
    }

    @Test(arguments: ProviderUnderTest.impatient, [0, 3_000])
    func `a stall is an error, before and after content`(_ tested: ProviderUnderTest, _ bytes: Int) async throws {
      try await expect(.timeout, of: tested, SimulatedFault(stallAfter: bytes))
    }

    private func expect(_ code: ModelError.Code, of tested: ProviderUnderTest, _ fault: SimulatedFault) async throws {
      let text = String(repeating: "word ", count: 40)
      let simulator = ProviderSimulator(
        tested.provider, script: SimulatorScript([.text(text, pieceSize: 1)], faults: [fault]))
      try await simulator.withServer { server in
        let error = await #expect(throws: AgentError.self) { try await agent(tested, server).send("Go") }
        #expect((error?.underlying as? ModelError)?.code == code, "\(fault) \(String(describing: error))")
      }
    }

    @Test(arguments: ProviderUnderTest.all, [0, 3_000])
    func `cancelling closes the connection`(_ tested: ProviderUnderTest, _ bytes: Int) async throws {
      let simulator = ProviderSimulator(
        tested.provider,
        script: SimulatorScript(
          [.text(String(repeating: "word ", count: 40), pieceSize: 1)], faults: [SimulatedFault(stallAfter: bytes)]))
      try await simulator.withServer { server in
        let model = tested.makeModel("sk-test", server.url, transport)
        let reading = Task {
          for try await _ in model.stream(ModelRequest(messages: [.user("Go")])) {}
        }
        while simulator.exchanges.isEmpty { await Task.yield() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        while simulator.exchanges.first?.end == .open { await Task.yield() }
        #expect(simulator.exchanges.first?.end == .abandoned)
      }
    }
  }
#endif
