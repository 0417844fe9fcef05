/// Says what a model said while it was recorded.
struct ReplayModel: LanguageModel {
  let info: ModelInfo
  let replay: Replay
  let live: (any LanguageModel)?

  func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream { Source(model: self, request: request) }
  }

  func tokenCount(of request: ModelRequest) async throws -> Int? {
    if let live, replay.isLive { return try await live.tokenCount(of: request) }
    return replay.tokenCount(of: request)
  }

  private struct Source: ModelStream.Source {
    let model: ReplayModel
    let request: ModelRequest
    var reply: Recording.Reply?
    var batches: ArraySlice<[ModelEvent]> = []
    var live: ModelStream.AsyncIterator?

    mutating func next() async throws -> [ModelEvent]? {
      if live != nil { return try await live?.nextBatch() }
      await model.replay.modelTurn()
      try Task.checkCancellation()
      if reply == nil {
        do {
          reply = try model.replay.nextReply(request, model.info)
        } catch {
          model.replay.stop(error)
          throw error
        }
        guard let reply else { return try await goLive() }
        batches = reply.batches[...]
      }
      if let batch = batches.popFirst() { return batch }
      guard let reply, reply.hasEnded else {
        throw RecordingError(.cut, "the recording ends in the middle of a reply")
      }
      guard let failure = reply.failure else { return nil }
      if case .cancelled = failure { await model.replay.cancelled() }
      throw failure.error
    }

    private mutating func goLive() async throws -> [ModelEvent]? {
      guard let model = model.live else {
        throw ModelError(code: .unsupported, message: "the replayed part is over, and there is no model to go on with")
      }
      live = model.stream(request).makeAsyncIterator()
      return try await live?.nextBatch()
    }
  }
}
