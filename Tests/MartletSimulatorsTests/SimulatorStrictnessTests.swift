import Martlet
import MartletHTTP
import MartletJSON
import MartletSimulators
import MartletTesting
import Testing

/// What the simulators refuse, as the services do: with the status and the form of the error.
@Suite struct SimulatorStrictnessTests {
  /// Where each provider's error has its message.
  static func message(_ answer: Raw.Answer) -> String {
    let error = answer.documents.first?["error"]
    return error?["message"]?.stringValue ?? error?.stringValue ?? ""
  }

  @Test(arguments: ProviderSimulator.Provider.allCases)
  func `an unknown path is not found, in the provider's form`(_ provider: ProviderSimulator.Provider) async throws {
    let answer = try await Raw(provider).send(.post, "/v1/nothing")
    #expect(answer.status == 404)
    #expect(!Self.message(answer).isEmpty)
  }

  @Test(arguments: [
    (ProviderSimulator.Provider.anthropic, 401, "x-api-key header is required", 401, "invalid x-api-key"),
    (.openAI, 401, "You didn't provide an API key", 401, "Incorrect API key"),
    (.openAIResponses, 401, "You didn't provide an API key", 401, "Incorrect API key"),
    (.gemini, 403, "unregistered callers", 400, "API key not valid"),
  ])
  func `a key is needed, and the right one where the script says which`(
    _ provider: ProviderSimulator.Provider, _ missing: Int, _ missingText: String, _ wrong: Int, _ wrongText: String
  ) async throws {
    let none = try await Raw(provider).send(headers: ["anthropic-version": "2023-06-01"])
    #expect(none.status == missing)
    #expect(Self.message(none).contains(missingText))
    let other = try await Raw(provider, SimulatorScript(key: "another")).send()
    #expect(other.status == wrong)
    #expect(Self.message(other).contains(wrongText))
    #expect(try await Raw(provider, SimulatorScript(key: "sk-test")).send().status == 200)
  }

  @Test(arguments: ProviderSimulator.Provider.allCases)
  func `a body that is no JSON and a model that is not there are refused`(_ provider: ProviderSimulator.Provider)
    async throws
  {
    let broken = try await Raw(provider).send(body: Array("{\"model\": ".utf8))
    #expect(broken.status == 400)
    let unknown = try await Raw(provider, SimulatorScript(models: ["other"])).send()
    #expect(unknown.status == 404)
    #expect(Self.message(unknown).contains(provider == .gemini ? "gemini-3-pro" : ""))
    #expect(try await Raw(provider, SimulatorScript(models: ["other"])).send(.get, modelsPath(provider)).status == 200)
  }

  private func modelsPath(_ provider: ProviderSimulator.Provider) -> String {
    switch provider {
    case .gemini: "/v1beta/models"
    case .ollama: "/api/tags"
    default: "/v1/models"
    }
  }

  @Test func `Anthropic wants its version header`() async throws {
    let answer = try await Raw(.anthropic).send(headers: ["x-api-key": "sk-test"])
    #expect(answer.status == 400)
    #expect(Self.message(answer) == "anthropic-version: header is required")
  }

  @Test func `a call without a result is refused by each provider that refuses it, and is in the record`() async throws
  {
    let anthropic = Raw(.anthropic)
    let first = try await anthropic.send {
      $0["messages"] = [
        ["role": "user", "content": "Hello"],
        ["role": "assistant", "content": [["type": "tool_use", "id": "toolu_1", "name": "add", "input": [:]]]],
        ["role": "user", "content": "And?"],
      ]
    }
    #expect(first.status == 400)
    #expect(first.documents[0]["error"]?["type"] == "invalid_request_error")
    #expect(Self.message(first).contains("`tool_use` ids were found without `tool_result` blocks immediately after"))
    #expect(first.documents[0]["request_id"]?.stringValue == first.headers["request-id"])
    #expect(!anthropic.simulator.violations.isEmpty)

    let chat = try await Raw(.openAI).send {
      $0["messages"] = [
        ["role": "user", "content": "Hello"],
        [
          "role": "assistant", "content": .null,
          "tool_calls": [["id": "call_1", "type": "function", "function": ["name": "add", "arguments": "{}"]]],
        ],
        ["role": "user", "content": "And?"],
      ]
    }
    #expect(chat.status == 400)
    #expect(Self.message(chat).contains("must be followed by tool messages"))

    let responses = try await Raw(.openAIResponses).send {
      $0["input"] = [
        ["role": "user", "content": "Hello"],
        ["type": "function_call", "call_id": "call_1", "name": "add", "arguments": "{}"],
        ["role": "user", "content": "And?"],
      ]
    }
    #expect(responses.status == 400)
    #expect(Self.message(responses).contains("No tool output found for function call call_1"))

    let gemini = try await Raw(.gemini).send {
      $0["contents"] = [
        ["role": "user", "parts": [["text": "Hello"]]],
        ["role": "model", "parts": [["functionCall": ["name": "add", "args": [:]], "thoughtSignature": "s"]]],
        ["role": "user", "parts": [["text": "And?"]]],
      ]
    }
    #expect(gemini.status == 400)
    #expect(gemini.documents[0]["error"]?["status"] == "INVALID_ARGUMENT")

    let ollama = try await Raw(.ollama).send {
      $0["messages"]?[0]?["content"] = [["type": "text", "text": "Hello"]]
    }
    #expect(ollama.status == 400)
    #expect(Self.message(ollama).contains("cannot unmarshal array"))
  }

  @Test func `thinking that was changed is known again`() async throws {
    let raw = Raw(
      .anthropic,
      SimulatorScript(
        [SimulatedReply([.thinking("Two and two"), .call(SimulatedCall("add", id: "toolu_1"))]), .text("4")]))
    let first = try await raw.send { $0["stream"] = false }
    let content = try #require(first.documents[0]["content"])
    func second(_ content: JSONValue) async throws -> Raw.Answer {
      try await raw.send {
        $0["messages"] = [
          ["role": "user", "content": "Hello"], ["role": "assistant", "content": content],
          ["role": "user", "content": [["type": "tool_result", "tool_use_id": "toolu_1", "content": "4"]]],
        ]
      }
    }
    #expect(try await second(content).status == 200)
    var changed = content
    changed[0]?["thinking"] = "Two and three"
    let refused = try await second(changed)
    #expect(refused.status == 400)
    #expect(Self.message(refused).contains("cannot be modified"))
    #expect(try await second(.array(Array((content.arrayValue ?? []).dropFirst()))).status == 400)
  }

  @Test(arguments: ProviderSimulator.Provider.allCases)
  func `beyond the script there is nothing, unless the last reply repeats`(_ provider: ProviderSimulator.Provider)
    async throws
  {
    let raw = Raw(provider, SimulatorScript([.text("one")], faults: [SimulatedFault(status: 429)]))
    #expect(try await raw.send().status == 429)
    #expect(try await raw.send().status == 200)
    // The same request again gets the same reply again: replies go by the conversation.
    #expect(try await raw.send().status == 200)
    raw.simulator.script = SimulatorScript([])
    #expect(try await raw.send().status == 200)
  }

  @Test(arguments: ProviderSimulator.Provider.allCases, [400, 401, 403, 404, 413, 429, 500, 503, 529])
  func `each status has an error in the provider's form, with the headers asked for`(
    _ provider: ProviderSimulator.Provider, _ status: Int
  ) async throws {
    let fault = SimulatedFault(status: status, headers: ["retry-after": "7"], errorMessage: "Not now", retryDelay: "7s")
    let answer = try await Raw(provider, SimulatorScript(faults: [fault])).send()
    #expect(answer.status == status)
    #expect(answer.headers["retry-after"] == "7")
    #expect(Self.message(answer) == "Not now")
    #expect(answer.text.contains("RetryInfo") == (provider == .gemini))
    let plain = try await Raw(provider, SimulatorScript(faults: [SimulatedFault(status: status)])).send()
    #expect(!Self.message(plain).isEmpty)
  }
}
