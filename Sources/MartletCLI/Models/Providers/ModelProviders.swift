import Martlet
import MartletProviders

/// The providers of this build.
enum ModelProviders {
  static let all: [ModelProvider] =
    [
      ModelProvider(
        "anthropic", "Anthropic", keyVariables: ["ANTHROPIC_API_KEY"], defaultModel: Anthropic.defaultModel
      ) { access in
        var configuration = Anthropic.Configuration()
        if let url = access.baseURL { configuration.baseURL = url }
        return Anthropic(access.model, key: access.key, configuration: configuration, transport: access.transport)
      },
      ModelProvider("openai", "OpenAI", keyVariables: ["OPENAI_API_KEY"], defaultModel: "gpt-5.1") { access in
        var configuration = OpenAIResponses.Configuration()
        if let url = access.baseURL { configuration.baseURL = url }
        return OpenAIResponses(
          access.model, key: access.key, configuration: configuration, transport: access.transport)
      },
      ModelProvider("openai-chat", .openAI),
      ModelProvider("gemini", "Google Gemini", keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"]) { access in
        var configuration = Gemini.Configuration()
        if let url = access.baseURL { configuration.baseURL = url }
        return Gemini(access.model, key: access.key, configuration: configuration, transport: access.transport)
      },
      ModelProvider("ollama", "Ollama", keyVariables: []) { access in
        var configuration = Ollama.Configuration()
        if let url = access.baseURL { configuration.baseURL = url }
        return Ollama(access.model, key: access.key, configuration: configuration, transport: access.transport)
      },
    ] + ChatVendor.known.filter { vendor in vendor != .openAI }.map { ModelProvider($0.name, $0) }

  /// Those that `doctor` has a line of its own for.
  static let main = ["anthropic", "openai", "openai-chat", "gemini"]

  static var names: [String] { all.map(\.name) }

  static func named(_ name: String) -> ModelProvider? { all.first { $0.name == name } }
}

extension ModelProvider {
  /// A service that speaks OpenAI's Chat Completions.
  fileprivate init(_ name: String, _ vendor: ChatVendor) {
    self.init(
      name, vendor.title, keyVariables: vendor.keyVariables, defaultModel: vendor.defaultModel,
      needsBaseURL: vendor.baseURL.isEmpty
    ) { access in
      var configuration = OpenAIChat.Configuration()
      configuration.baseURL = access.baseURL
      return OpenAIChat(
        access.model, vendor: vendor, key: access.key, configuration: configuration, transport: access.transport)
    }
  }
}
