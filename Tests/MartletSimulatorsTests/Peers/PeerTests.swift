#if os(Linux)
  import Foundation
  import Martlet
  import MartletHTTP
  import MartletJSON
  import MartletProviders
  import MartletSimulators
  import Testing

  /// Our clients against servers that others wrote, one after the other: they are processes of some weight.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct PeerTests {
    let transport = CurlTransport(.init(proxy: .none))

    private func agent(_ model: any LanguageModel, retries: Int = 2) throws -> Agent {
      Agent(
        model: model, tools: try ToolRegistry([AddTool()]),
        configuration: AgentConfiguration(
          options: ModelOptions(maxOutputTokens: 200, temperature: 0), retries: retries))
    }

    private func get(_ url: String) async throws -> JSONValue {
      let response = try await transport.send(HTTPRequest(.get, url))
      return try JSONValue(parsing: try await response.body.bytes(limit: 1 << 20))
    }

    private func post(_ url: String, _ json: JSONValue) async throws {
      let response = try await transport.send(
        HTTPRequest(.post, url, headers: ["content-type": "application/json"], body: .bytes(json.bytes())))
      #expect((200..<300).contains(response.status), "\(url)")
      _ = try await response.body.bytes(limit: 1 << 20)
    }

    private func code(_ error: AgentError?) -> ModelError.Code? { (error?.underlying as? ModelError)?.code }

    // MARK: llmock

    /// Where llmock has each provider.
    private func llmockPath(_ provider: ProviderSimulator.Provider) -> String? {
      switch provider {
      case .anthropic: "/anthropic"
      case .openAI, .openAIResponses: ""
      case .gemini: "/gemini"
      case .ollama: nil
      }
    }

    @Test(.enabled(if: Peers.has("llmock"), Peers.reason("llmock")))
    func `llmock finds no fault with the clients`() async throws {
      try await Peers.withServer(
        "llmock", program: "llmock", ["serve", "--host", "127.0.0.1"], health: "/health"
      ) { url in
        for tested in ProviderUnderTest.all {
          guard let path = llmockPath(tested.provider) else { continue }
          let model = tested.makeModel("sk-test", url + path, transport)
          func scenario(_ behaviours: JSONValue...) async throws {
            try await post(url + "/_llmock/scenario", ["behaviors": .array(behaviours)])
          }
          // A whole run: the tool it offers is called, its result goes back, an answer comes.
          let run = try agent(model)
          #expect(try await run.send("Please add 2 and 3.").isEmpty == false)
          #expect(await run.messages.contains { !$0.toolResults.isEmpty }, "\(tested)")

          try await scenario(["type": "fail", "status": 429, "retry_after": 0.3, "times": 2])
          #expect(try await agent(model).send("Hello, how are you?").isEmpty == false)

          try await scenario(["type": "fail", "status": 503])
          #expect(try await agent(model).send("Hello again, how are you?").isEmpty == false)

          try await scenario(["type": "fail", "status": 401])
          let refused = await #expect(throws: AgentError.self) { try await agent(model).send("Hello, who are you?") }
          #expect(code(refused) == .authentication)

          for (kind, codes) in [
            ("truncate", [ModelError.Code.truncatedStream]), ("disconnect", [.connection, .truncatedStream]),
            ("malformed", [.invalidResponse]),
          ] {
            try await scenario(
              ["type": "reply", "text": "One two three four five six seven eight nine ten eleven twelve."],
              ["type": "stream_fault", "kind": .string(kind), "after_chunks": 6])
            let error = await #expect(throws: AgentError.self, "\(tested) \(kind)") {
              try await agent(model).send("Count, \(kind).")
            }
            #expect(code(error).map(codes.contains) == true, "\(tested) \(kind) \(String(describing: error))")
          }
          let verdict = try await get(url + "/_llmock/verdict")
          let findings = verdict["findings"]?.arrayValue ?? []
          #expect(verdict["findings"] != nil)
          // llmock cannot see that the cut stream was an error for the user (above): it takes what is not asked for again
          // for accepted. Once text has come we do not ask again.
          let faults = findings.filter { $0["severity"] == "error" && $0["code"] != "truncated_stream_accepted" }
          #expect(faults == [], "\(tested)")
          try await post(url + "/_llmock/reset", [:])
        }
      }
    }

    // MARK: llm-katan

    @Test(.enabled(if: Peers.has("llm-katan"), Peers.reason("llm-katan")))
    func `llm-katan echoes`() async throws {
      let stats = FileManager.default.temporaryDirectory.appending(path: "martlet-katan-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: stats) }
      try await Peers.withServer(
        "llm-katan", program: "llm-katan",
        [
          "--model", "echo-model", "--backend", "echo", "--host", "127.0.0.1", "--providers",
          "openai,anthropic,vertexai",
          "--stats-file", stats.path,
        ], health: "/health"
      ) { url in
        let tested = ProviderUnderTest.all.filter { [.anthropic, .openAI].contains($0.provider) }
        // Its Gemini is that of Vertex AI, which takes access tokens and no keys.
        let vertex = Gemini(
          "gemini-3-pro", key: APIKey("sk-test"),
          configuration: .init(baseURL: url + "/v1beta", authentication: .bearer), transport: transport)
        for model in tested.map({ $0.makeModel("sk-test", url, transport) }) + [vertex] {
          let answer = try await Agent(model: model).send("Say pineapple.")
          #expect(!answer.isEmpty, "\(model.info.provider)")
        }
      }
    }

    // MARK: litellm in front of llmock

    @Test(
      .enabled(if: Peers.has("litellm"), Peers.reason("litellm")),
      .enabled(if: Peers.has("llmock"), Peers.reason("llmock")))
    func `litellm passes on what llmock says`() async throws {
      try await Peers.withServer(
        "llmock", program: "llmock", ["serve", "--host", "127.0.0.1"], health: "/health"
      ) { mock in
        let config = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: config) }
        // JSON is YAML.
        let settings: JSONValue = [
          "model_list": .array(
            ["claude-opus-5", "gpt-5.2"].map { name in
              [
                "model_name": .string(name),
                "litellm_params": [
                  "model": "openai/gpt-4o", "api_base": .string(mock + "/v1"), "api_key": "sk-test",
                ],
              ]
            })
        ]
        try Data(settings.bytes()).write(to: config)
        try await Peers.withServer(
          "litellm", program: "litellm",
          ["--config", config.path, "--host", "127.0.0.1"], health: "/health/liveliness"
        ) { url in
          for tested in ProviderUnderTest.all where [.anthropic, .openAI].contains(tested.provider) {
            let run = try agent(tested.makeModel("sk-test", url, transport))
            #expect(try await run.send("Please add 2 and 3.").isEmpty == false, "\(tested)")
            #expect(await run.messages.contains { !$0.toolResults.isEmpty }, "\(tested)")
          }
        }
      }
    }

    // MARK: llama.cpp

    @Test(
      .enabled(if: Peers.has("llama-server"), Peers.reason("llama-server")),
      .enabled(if: Peers.model != nil, "skipped: the default on-device model is not there; scripts/setup fetches it"))
    func `a real model on the server of llama.cpp calls a tool and answers`() async throws {
      try await Peers.withLlamaServer { url in
        for tested in ProviderUnderTest.patient where [.anthropic, .openAI].contains(tested.provider) {
          let run = try agent(tested.makeModel("none", url, transport))
          let answer = try await run.send("What is 17 plus 25? Use the function add.")
          #expect(!answer.isEmpty, "\(tested)")
          let results = await run.messages.flatMap(\.toolResults)
          #expect(results.contains { !$0.isError }, "\(tested) \(results) \(answer)")
        }
      }
    }
  }
#endif
