import Martlet
import MartletHTTP
import MartletProviders
import MartletSimulators
import Testing

/// A client of ours with the simulator of its provider.
struct ProviderUnderTest: Sendable, CustomTestStringConvertible {
  let provider: ProviderSimulator.Provider
  /// A model over a transport; `baseURL` is the simulator's.
  let makeModel: @Sendable (_ key: String, _ baseURL: String, any HTTPTransport) -> any LanguageModel

  var testDescription: String { provider.rawValue }

  /// One row for each client there is, waiting so long for the next byte.
  private static func rows(idle: Duration) -> [Self] {
    let timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: idle)
    return [
      Self(provider: .anthropic) { key, baseURL, transport in
        Anthropic(
          "claude-opus-5", key: APIKey(key), configuration: .init(baseURL: baseURL, timeouts: timeouts),
          transport: transport)
      },
      Self(provider: .openAI) { key, baseURL, transport in
        OpenAIChat(
          "gpt-5.2", key: APIKey(key), configuration: .init(baseURL: baseURL + "/v1", timeouts: timeouts),
          transport: transport)
      },
      Self(provider: .openAIResponses) { key, baseURL, transport in
        OpenAIResponses(
          "gpt-5.2", key: APIKey(key), configuration: .init(baseURL: baseURL + "/v1", timeouts: timeouts),
          transport: transport)
      },
      Self(provider: .gemini) { key, baseURL, transport in
        Gemini(
          "gemini-3-pro", key: APIKey(key), configuration: .init(baseURL: baseURL + "/v1beta", timeouts: timeouts),
          transport: transport)
      },
      Self(provider: .ollama) { _, baseURL, transport in
        Ollama("qwen3", configuration: .init(baseURL: baseURL, timeouts: timeouts), transport: transport)
      },
    ]
  }

  static let all = rows(idle: .seconds(60))
  /// For what stalls: half a second without a byte is too long.
  static let impatient = rows(idle: .milliseconds(500))
  /// For real models.
  static let patient = rows(idle: .seconds(300))

  /// A model that reaches a simulator in process.
  func model(_ simulator: ProviderSimulator, key: String = "sk-test") -> any LanguageModel {
    makeModel(key, "http://simulator", simulator.transport)
  }
}
