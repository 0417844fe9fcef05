import Martlet

/// A model that is opened when it is first asked: a fallback that may never be needed and costs something to open.
struct DeferredModel: LanguageModel {
  let info: ModelInfo
  private let opening: Opening

  init(info: ModelInfo, open: @escaping @Sendable () async throws -> any LanguageModel) {
    self.info = info
    opening = Opening(open)
  }

  func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream { Asking(opening: opening, request: request) }
  }

  /// One run at a time asks, so it is not opened twice.
  private actor Opening {
    private let open: @Sendable () async throws -> any LanguageModel
    private var model: (any LanguageModel)?

    init(_ open: @escaping @Sendable () async throws -> any LanguageModel) { self.open = open }

    func opened() async throws -> any LanguageModel {
      if let model { return model }
      do {
        let model = try await open()
        self.model = model
        return model
      } catch let failure as CommandFailure {
        throw ModelError(code: .unsupported, message: failure.message, isRetryable: false, underlying: failure)
      }
    }
  }

  private struct Asking: ModelStream.Source {
    let opening: Opening
    let request: ModelRequest
    var reply: ModelStream.AsyncIterator?

    mutating func next() async throws -> [ModelEvent]? {
      if reply == nil { reply = try await opening.opened().stream(request).makeAsyncIterator() }
      return try await reply?.nextBatch()
    }
  }
}
