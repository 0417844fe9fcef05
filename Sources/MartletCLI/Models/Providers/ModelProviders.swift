import MartletProviders

/// The providers of this build.
enum ModelProviders {
  static let all: [ModelProvider] = [
    ModelProvider(
      "anthropic", "Anthropic", keyVariables: ["ANTHROPIC_API_KEY"], defaultModel: Anthropic.defaultModel
    ) { access in
      var configuration = Anthropic.Configuration()
      if let root = access.root { configuration.baseURL = root }
      return Anthropic(access.model, key: access.key, configuration: configuration, transport: access.transport)
    }
  ]

  /// Names that are kept for providers to come.
  static let later = ["openai", "openai-chat", "gemini", "ollama"]

  static var names: [String] { all.map(\.name) + later }

  static func named(_ name: String) -> ModelProvider? { all.first { $0.name == name } }
}
