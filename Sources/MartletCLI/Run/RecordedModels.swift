import Martlet

/// Opens the models of a run, as its recording wants them.
struct RecordedModels {
  let context: CommandContext
  let settings: ModelSettings

  func model(named name: String) async throws -> any LanguageModel {
    let open: @Sendable () async throws -> any LanguageModel = { [context, settings] in
      try await context.models.model(named: name, settings: settings, context: context)
    }
    return try await recorded(name, at: 0, open)
  }

  func fallback(named name: String, at index: Int) async throws -> any LanguageModel {
    let open: @Sendable () async throws -> any LanguageModel = { [context, settings] in
      try await context.models.fallback(named: name, settings: settings, context: context)
    }
    return try await recorded(name, at: index + 1, open)
  }

  /// A model that a transport reaches is recorded and replayed there; another one reply by reply.
  private func recorded(
    _ name: String, at index: Int, _ open: @escaping @Sendable () async throws -> any LanguageModel
  ) async throws -> any LanguageModel {
    if try context.models.usesTransport(name) { return try await open() }
    if let replay = context.replay {
      let info = replay.info(ofModel: index)
      return replay.model(info, live: context.goesOnLive ? DeferredModel(info: info, open: open) : nil)
    }
    let model = try await open()
    return context.recorder?.recording(model) ?? model
  }
}
