#if MARTLET_LOCAL
  import Martlet
  import MartletHTTP
  import MartletLocal

  /// The on-device models of this machine, as the commands need them.
  struct LocalModels {
    let context: CommandContext
    let store: ModelStore

    init(_ context: CommandContext) throws(CommandFailure) {
      guard let data = context.places.data else {
        throw .usage("there is no place for models: set HOME, or MARTLET_DATA to an absolute path")
      }
      self.context = context
      store = ModelStore(directory: data + "/models", transport: Self.transport)
    }

    private static var transport: any HTTPTransport {
      #if os(Linux)
        CurlTransport.shared
      #else
        URLSessionTransport.shared
      #endif
    }

    var entries: [LocalModelEntry] { KnownModel.all.map(entry) }

    /// What is known of a model, with its file looked at byte by byte where that was not done before.
    func verified(_ name: String?) async throws -> LocalModelEntry {
      let model = try known(name)
      var entry = entry(model)
      guard entry.state == .unverified else { return entry }
      do {
        _ = try await store.file(of: model)
        entry.state = .verified
      } catch let error as ModelStoreError where error.code == .wrongHash {
        entry.state = .wrong
      } catch let error as ModelStoreError {
        throw CommandFailure(error)
      }
      return entry
    }

    func pull(_ name: String?) async throws -> String {
      let model = try known(name)
      _ = try context.places.makeData()
      let progress = PullProgress(console: context.console, model: model)
      do {
        let path = try await store.pull(model) { progress.show($0) }
        _ = try await store.prepare(model) { progress.show($0) }
        progress.end()
        return path
      } catch let error as ModelStoreError {
        progress.end()
        throw CommandFailure(error)
      } catch {
        progress.end()
        throw error
      }
    }

    /// Opens the model of a reference.
    func open(_ reference: String?, _ settings: ModelSettings) async throws -> LocalModel {
      do {
        let choice = try await store.choose(reference)
        if let notice = choice.fallbackNotice { context.console.notice(notice) }
        let options = EngineOptions(promptCache: settings.keepsPrompts ? promptCache : nil)
        guard let known = choice.known else { return try await LocalModel.open(choice.path, options: options) }
        let prepared = try await prepare(known)
        do {
          return try await LocalModel.open(prepared, id: known.name, options: options)
        } catch let error as EngineError where prepared != choice.path {
          // It is larger, and it may be gone by now.
          context.console.notice("the prepared file of \(known.name) is not used: \(error.message.lowercasedFirst)")
          return try await LocalModel.open(choice.path, id: known.name, options: options)
        }
      } catch let error as ModelStoreError {
        throw CommandFailure(error)
      } catch let error as EngineError {
        throw CommandFailure(error)
      }
    }

    private var promptCache: PromptCacheOptions? {
      context.places.cache.map { PromptCacheOptions(directory: $0 + "/prompts") }
    }

    private func prepare(_ model: KnownModel) async throws -> String {
      let progress = PullProgress(console: context.console, model: model)
      defer { progress.end() }
      return try await store.prepare(model) { progress.show($0) }
    }

    private func known(_ name: String?) throws(CommandFailure) -> KnownModel {
      guard let name else { return .standard }
      if let model = KnownModel.named(name) { return model }
      let names = KnownModel.all.map(\.name)
      let near = NearestName.of(name, among: names)
      throw .usage(
        "there is no model \(name.quotedShort); "
          + (near.map { "did you mean \($0)?" } ?? "known are \(names.joined(separator: ", "))"))
    }

    private func entry(_ model: KnownModel) -> LocalModelEntry {
      let state: LocalModelEntry.State =
        switch store.status(of: model) {
        case .missing: .missing
        case .partial(let bytes): .partial(bytes: bytes)
        case .unverified: .unverified
        case .damaged: .wrong
        case .present: .verified
        }
      return LocalModelEntry(
        name: model.name, use: model.use, size: model.size, sha256: model.sha256, license: model.license,
        sources: model.sources.map { "\($0)" }, path: store.path(of: model), state: state,
        prepared: store.preparedFile(of: model))
    }
  }

  extension CommandFailure {
    /// No such model is a mistake of the command line; all else is a failure.
    init(_ error: ModelStoreError) {
      self.init(error.code == .unknownModel ? .usage : .failed, error.message.lowercasedFirst, underlying: error)
    }

    init(_ error: EngineError) {
      let isMistake = error.code == .modelNotFound || error.code == .notAModel
      self.init(isMistake ? .usage : .failed, error.message.lowercasedFirst, underlying: error)
    }
  }
#endif
