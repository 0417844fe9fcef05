public import Martlet

/// A language model that runs in this process, on this device's processor.
///
/// One reply is made at a time; further requests wait for it. The key-value cache holds the last conversation, so that
/// its next turn costs only what is new.
public struct LocalModel: LanguageModel {
  public let info: ModelInfo
  /// How the model is talked to.
  public let profile: ModelProfile
  private let engine: Engine
  private let habits = HabitCache()
  private let queue = ReplyQueue()

  /// Loads a model file in the GGUF format.
  /// - Parameters:
  ///   - id: what the model is called in events and options; the file's own name by default.
  ///   - profile: how to talk to it; found by the file's metadata by default.
  /// - Throws: `EngineError`, `CancellationError`.
  public static func open(
    _ path: String, id: String? = nil, options: EngineOptions = EngineOptions(), profile: ModelProfile? = nil
  ) async throws -> LocalModel {
    let engine = try await Engine.open(path, options: options)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return LocalModel(
      engine: engine, id: id ?? (file.hasSuffix(".gguf") ? String(file.dropLast(5)) : file), profile: profile)
  }

  private init(engine: Engine, id: String, profile: ModelProfile?) {
    let model = engine.model
    self.engine = engine
    self.profile =
      profile
      ?? ModelProfile.detect(
        name: model.metadata("general.name"), architecture: model.metadata("general.architecture"),
        template: model.chatTemplate)
    info = ModelInfo(
      provider: "local", id: id,
      contextWindow: min(
        model.trainedContextLength, engine.options.contextLength ?? EngineOptions.defaultContextLength),
      price: .free)
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    if let last = request.messages.last, last.role == .user, last.holdsMedia {
      // The model would answer as if it were not there.
      return ModelStream(
        [],
        error: ModelError(
          code: .unsupported,
          message: "\(info.name) reads text only: leave out images and other media, or use another model"))
    }
    return ModelStream { [engine, profile, habits, queue] in
      Reply(
        engine: engine, queue: queue,
        work: ReplyWork(request, profile: profile, model: engine.model, habits: habits))
    }
  }

  /// The exact number of tokens the request's prompt has, without a reply.
  public func countTokens(_ request: ModelRequest) -> Int {
    profile.format.render(Conversation(request, profile: profile).turns()).tokens(engine.model).count
      + (engine.model.startToken == nil ? 0 : 1)
  }

  public func tokenCount(of request: ModelRequest) async throws -> Int? { countTokens(request) }

  /// Frees the memory of the conversation; the weights go with the last copy of this model.
  public func close() async {
    await engine.close()
  }

  private struct Reply: ModelStream.Source {
    let engine: Engine
    let queue: ReplyQueue
    let work: ReplyWork
    var turn: ReplyQueue.Turn?

    mutating func next() async throws -> [ModelEvent]? {
      if work.isDone { return nil }
      if turn == nil { turn = try await queue.turn() }
      defer { if work.isDone { turn = nil } }
      do {
        return try await engine.withContext { [work] in try work.step($0) }
      } catch let error as EngineError {
        throw ModelError(error)
      } catch let error as SchemaGrammarError {
        throw ModelError(
          code: .unsupported, message: "A tool's parameters cannot be made into a grammar: \(error)", underlying: error)
      }
    }
  }
}

extension Message {
  fileprivate var holdsMedia: Bool { content.contains { if case .media = $0.kind { true } else { false } } }
}

extension ModelError {
  init(_ error: EngineError) {
    let code: Code =
      switch error.code {
      case .contextOverflow: .contextOverflow
      case .modelNotFound: .modelNotFound
      default: .serverError
      }
    self.init(code: code, message: error.message, isRetryable: false, underlying: error)
  }
}
