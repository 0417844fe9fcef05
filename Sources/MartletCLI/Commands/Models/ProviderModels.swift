import Martlet
import MartletJSON
import MartletProviders

/// `martlet models list PROVIDER`: what a provider's service has, as it says itself.
enum ProviderModels {
  static func list(
    of name: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    guard let provider = ModelProviders.named(name) else {
      let near = NearestName.of(name, among: ModelProviders.names).map { "did you mean \($0)?" }
      throw CommandFailure.usage(
        "there is no provider \(name.quotedShort); "
          + (near ?? "there are \(ModelProviders.names.joined(separator: ", "))"))
    }
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
    let settings = ModelSettings(
      provider: name, baseURL: try reader.value(SettingKeys.baseURL),
      keyVariable: try reader.value(SettingKeys.keyVariable), providers: try reader.providers())
    let model = try await context.models.model(
      named: "\(name)/\(provider.defaultModel ?? "any")", settings: settings, context: context)
    guard let service = model as? any ModelListing else {
      throw CommandFailure.failed("\(provider.title) has no list of its models")
    }
    let models: [ModelInfo]
    do {
      models = try await service.availableModels().sorted { $0.id < $1.id }
    } catch let error as ModelError {
      throw CommandFailure.failed(error.message.lowercasedFirst, underlying: error)
    }
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      guard !models.isEmpty else { break }
      let head = ["model", "window", "reply", "input", "output"]
      try context.console.print(String(TextTable.text([head] + models.map(row)).dropLast()))
    case .json: try context.console.print(JSONValue.array(models.map(json)).text())
    case .jsonl: for model in models { try context.console.print(json(model).text()) }
    }
    return .answered
  }

  /// Limits in tokens, prices in USD for a million.
  private static func row(_ model: ModelInfo) -> [String] {
    [
      model.id, model.contextWindow.map(String.init) ?? "-", model.maxOutputTokens.map(String.init) ?? "-",
      model.price.map { "$\($0.input)" } ?? "-", model.price.map { "$\($0.output)" } ?? "-",
    ]
  }

  private static func json(_ model: ModelInfo) -> JSONValue {
    var object: JSONObject = ["id": .string(model.id)]
    if let window = model.contextWindow { object["context_window"] = JSONValue(window) }
    if let limit = model.maxOutputTokens { object["max_output_tokens"] = JSONValue(limit) }
    if let price = model.price {
      object["input_price"] = JSONValue(finite: price.input)
      object["output_price"] = JSONValue(finite: price.output)
    }
    return .object(object)
  }
}
