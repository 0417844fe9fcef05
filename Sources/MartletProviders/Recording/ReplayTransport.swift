public import Martlet
public import MartletHTTP
import MartletSync

/// Answers requests with what was recorded: no network, no key. A request that is not the recorded one ends the replay.
public struct ReplayTransport: HTTPTransport {
  private let replay: Replay
  private let live: (any HTTPTransport)?

  /// - Parameter live: the transport that the run goes on with after the replayed part.
  public init(_ replay: Replay, live: (any HTTPTransport)? = nil) {
    self.replay = replay
    self.live = live
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    await replay.modelTurn()
    try Task.checkCancellation()
    let exchange: Recording.Exchange?
    do {
      exchange = try replay.nextExchange(
        request.method.rawValue, RecordedHead.url(request.url), body: RecordedHead.body(of: request))
    } catch {
      replay.stop(error)
      throw error
    }
    guard let exchange else {
      guard let live else {
        throw HTTPError(.unavailable, "The replayed part is over, and there is no way to the model to go on with.")
      }
      return try await live.send(request)
    }
    guard let status = exchange.status else {
      if case .cancelled? = exchange.failure { await replay.cancelled() }
      throw exchange.failure?.transportError
        ?? HTTPError(.connectionLost, "The recording ends before the response.")
    }
    return HTTPResponse(
      status: status, headers: HTTPHeaders(exchange.responseHeaders.map { ($0.name, $0.value) }), url: request.url,
      body: HTTPBody(ReplayedBody(exchange, replay: replay)))
  }
}

/// The chunks of a recorded body.
private final class ReplayedBody: HTTPBodySource {
  private let exchange: Recording.Exchange
  private let replay: Replay
  private let position = Locked(0)

  init(_ exchange: Recording.Exchange, replay: Replay) {
    self.exchange = exchange
    self.replay = replay
  }

  func next() async throws -> [UInt8]? {
    await replay.modelTurn()
    try Task.checkCancellation()
    let chunk = position.withLock { position -> [UInt8]? in
      guard position < exchange.chunks.count else { return nil }
      position += 1
      return exchange.chunks[position - 1]
    }
    if let chunk { return chunk }
    guard exchange.hasEnded else {
      throw HTTPError(.connectionLost, "The recording ends in the middle of the response.")
    }
    guard let failure = exchange.failure else { return nil }
    if case .cancelled = failure { await replay.cancelled() }
    throw failure.transportError
  }
}
