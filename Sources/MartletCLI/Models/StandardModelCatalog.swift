import Martlet
import MartletHTTP
import MartletProviders

/// The models of this build.
struct StandardModelCatalog: ModelCatalog {
  func model(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel {
    switch try ModelReference(name) {
    case .provider(let name, let id): return try Self.model(of: name, id: id, settings: settings, context: context)
    #if MARTLET_LOCAL
      case .local: return try await LocalModels(context).open(nil, settings)
      case .localNamed(let name): return try await LocalModels(context).open(name, settings)
      case .localFile(let path): return try await LocalModels(context).open(context.places.path(path), settings)
    #else
      case .local, .localNamed, .localFile: throw Self.noEngine
    #endif
    }
  }

  #if os(Linux)
    func executor(for name: String) -> (any PreferredExecutor)? {
      guard case .success(.provider) = Result(catching: { try ModelReference(name) }) else { return nil }
      return SystemTransport.shared.taskExecutor
    }
  #endif

  func fallback(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel
  {
    let reference = try ModelReference(name)
    if case .provider(let name, let id) = reference {
      return try Self.model(of: name, id: id, settings: settings, context: context)
    }
    // The engine would take its memory for a model that is hardly ever asked.
    return DeferredModel(info: ModelInfo(provider: "local", id: reference.localId, price: .free)) {
      try await model(named: name, settings: settings, context: context)
    }
  }

  func usesTransport(_ name: String) throws -> Bool {
    if case .provider = try ModelReference(name) { return true }
    return false
  }

  static let noEngine = CommandFailure.failed(
    "this martlet was built without the on-device engine; run scripts/setup and build it again")

  private static func model(
    of name: String, id: String?, settings: ModelSettings, context: CommandContext
  ) throws(CommandFailure) -> any LanguageModel {
    guard let provider = ModelProviders.named(name) else { throw .notYet("the provider \(name)") }
    guard let model = id ?? provider.defaultModel else {
      throw .usage("--model \(name) needs a model after a slash: \(name)/ID")
    }
    let settings = settings.settings(of: name)
    if provider.needsBaseURL, settings.baseURL == nil {
      throw .usage("\(provider.title) needs the address of your own resource: give it with --base-url")
    }
    let finder = ProviderKey(
      provider: provider, settings: settings, places: context.places, environment: context.environment)
    let key = context.isOffline ? finder.replayed : try finder.find()?.key
    if let key { context.recorder?.keep(secret: key.value) }
    if key == nil, settings.baseURL == nil, !provider.keyVariables.isEmpty {
      throw .usage("there is no key for \(provider.title): \(finder.advice)")
    }
    var transport: any HTTPTransport = SystemTransport.shared
    if settings.requestsPerMinute != nil || settings.concurrentRequests != nil {
      transport = LimitedTransport(
        transport,
        limiter: RequestLimiter(concurrent: settings.concurrentRequests, perMinute: settings.requestsPerMinute))
    }
    return provider.open(
      ProviderAccess(model: model, key: key, baseURL: settings.baseURL, transport: context.recorded(transport)))
  }
}
