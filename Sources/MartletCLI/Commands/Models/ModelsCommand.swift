import Martlet
import MartletJSON

#if MARTLET_LOCAL
  import MartletLocal
#endif

/// `martlet models`: the on-device models.
enum ModelsCommand {
  static let spec = CommandSpec(
    "models", "Lists, fetches and verifies on-device models", subcommands: [list, pull, info, turn])

  private static let provider = ArgumentSpec(
    "PROVIDER", isRequired: false, completion: .choices(ModelProviders.names),
    "Whose models, as its service lists them; the on-device ones if left out")
  private static let listOptions = [ListFormat.option.spec, RunOptions.baseURL.spec, RunOptions.keyVariable.spec]

  #if MARTLET_LOCAL
    private static let list = CommandSpec(
      "list", "Lists the known on-device models and what of them is here, or a provider's models",
      arguments: [provider],
      options: listOptions
    ) { arguments, context in
      if let name = arguments.positionals.first { return try await ProviderModels.list(of: name, arguments, context) }
      let models = try LocalModels(context).entries
      switch arguments[ListFormat.option] ?? .text {
      case .text: for model in models { try context.console.print(model.line) }
      case .json: try context.console.print(JSONValue.array(models.map(\.json)).text())
      case .jsonl: for model in models { try context.console.print(model.json.text()) }
      }
      return .answered
    }

    private static let pull = CommandSpec(
      "pull", "Fetches a model and verifies it; goes on where an interrupted fetch stopped",
      arguments: [ArgumentSpec("NAME", isRequired: false, "The model; the default one if left out")]
    ) { arguments, context in
      let models = try LocalModels(context)
      let path = try await models.pull(arguments.positionals.first)
      try context.console.print(path)
      return .answered
    }

    private static let info = CommandSpec(
      "info", "Shows a model: size, hash, licence, sources, and whether its file is right",
      arguments: [ArgumentSpec("NAME", isRequired: false, "The model; the default one if left out")],
      options: [ListFormat.option.spec]
    ) { arguments, context in
      let models = try LocalModels(context)
      let model = try await models.verified(arguments.positionals.first)
      if (arguments[ListFormat.option] ?? .text) == .text {
        try context.console.print(model.card)
      } else {
        try context.console.print(model.json.text())
      }
      return model.state == .wrong ? .failed : .answered
    }

    private static let turn = CommandSpec(
      "turn", "Has the model take one turn for an OpenAI-style request file; no tool is run",
      discussion: "Prints {\"text\",\"calls\":[[name,arguments],…],\"usage\"}.",
      arguments: [ArgumentSpec("FILE", completion: .file, "The request: messages and tools; - reads standard input")],
      options: [
        RunOptions.model.spec, RunOptions.baseURL.spec, RunOptions.keyVariable.spec, RunOptions.maxTokens.spec,
        RunOptions.temperature.spec, RunOptions.seed.spec,
        RunOptions.directory.spec,
      ]
    ) { arguments, context in
      let context = try context.entering(arguments[RunOptions.directory])
      let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
      let settings = try Settings(reader)
      let body = try await TurnRequest.read(arguments.positionals[0], settings.options, context)
      let model = try await context.models.model(named: settings.model, settings: settings.models, context: context)
      do {
        try context.console.print(try await LocalTurn.run(body, model: model).json.text())
      } catch let error as ModelError {
        throw CommandFailure(
          error.code == .invalidRequest ? .usage : .failed, error.message.lowercasedFirst, underlying: error)
      }
      return .answered
    }
  #else
    /// This build has no engine for them; said by each command.
    private static let list = CommandSpec(
      "list", "Lists a provider's models", arguments: [provider], options: listOptions
    ) { arguments, context in
      guard let name = arguments.positionals.first else { throw StandardModelCatalog.noEngine }
      return try await ProviderModels.list(of: name, arguments, context)
    }
    private static let pull = withoutEngine("pull", "Fetches a model and verifies it")
    private static let info = withoutEngine("info", "Shows a model")
    private static let turn = withoutEngine("turn", "Has the model take one turn for an OpenAI-style request file")

    private static func withoutEngine(_ name: String, _ summary: String) -> CommandSpec {
      CommandSpec(name, summary, arguments: [ArgumentSpec("NAME", isRequired: false, "The model")]) { _, _ in
        throw StandardModelCatalog.noEngine
      }
    }
  #endif
}
