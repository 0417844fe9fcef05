import MartletHTTP
import MartletJSON
import MartletSync

/// One client's session over HTTP: what it posts comes in here, what it is told goes out on the stream that it belongs to.
final class HTTPSession: MCPTransport {
  /// A stream to the client: of a request, or the standing one.
  private struct Stream {
    var log: EventLog
    /// The last place that a reader was given.
    var given = 0
    /// Where events go now; nil while nobody reads.
    var output: MessageQueue<[UInt8]>?
    /// For a request: told of the first thing that is said, as long as nothing is decided about the response.
    var opening: Settlement<Opening>?
    /// Which reader has `output`.
    var reader = 0
    /// Whether the next reader is sent away at once.
    var isDisconnected = false
  }

  /// What the response to a request begins with.
  enum Opening: Sendable {
    /// The answer is here at once: no stream is needed.
    case answer(MCPMessage)
    /// A stream.
    case stream
    /// The request was cancelled: nothing comes.
    case nothing
  }

  private struct State {
    var streams: [String: Stream] = [:]
    /// Of each request that is open, the key of its stream.
    var keys: [MCPRequestID: String] = [:]
    /// Streams that have ended and may still be asked for, oldest first.
    var ended: [String] = []
    var lastKey = 0
    var lastReader = 0
    var lastUse: Duration
    var agreement: ServerSession?
  }

  static let standingKey = "0"
  /// Streams that have ended and are kept for clients that come back.
  private static let keptStreams = 16

  let id: String
  let caller: MCPCaller
  private let clock: PeerClock
  private let settings: MCPHTTPHandler.Configuration
  private let incoming = MessageQueue<MCPIncoming>()
  private let state: Locked<State>

  init(id: String, caller: MCPCaller, clock: PeerClock, settings: MCPHTTPHandler.Configuration) {
    self.id = id
    self.caller = caller
    self.clock = clock
    self.settings = settings
    var state = State(lastUse: clock.now())
    state.streams[Self.standingKey] = Stream(log: EventLog(key: Self.standingKey, limit: settings.keptEvents))
    self.state = Locked(state)
  }

  var lastUse: Duration { state.withLock { $0.lastUse } }
  /// Whether a request is open or a stream is read.
  var isBusy: Bool { state.withLock { !$0.keys.isEmpty || $0.streams.values.contains { $0.output != nil } } }

  /// Where what the handshake settles is found.
  func attach(_ agreement: ServerSession) { state.withLock { $0.agreement = agreement } }
  /// Whether the handshake went well.
  var hasBegun: Bool { state.withLock { $0.agreement?.agreement } != nil }
  var revision: MCPRevision { state.withLock { $0.agreement }?.agreement?.revision ?? .ofUnnamedRequests }

  func use() {
    let now = clock.now()
    state.withLock { $0.lastUse = now }
  }

  // MARK: From the client

  func receive() async throws -> MCPIncoming { try await incoming.take() }
  func open() async throws {}

  /// Takes what nobody answers.
  func take(_ incoming: MCPIncoming) async throws { try await self.incoming.put(incoming) }

  /// Takes a request, and says how its response begins.
  /// - Parameter ids: the requests in it: one, or several in an array.
  func take(_ incoming: MCPIncoming, ids: [MCPRequestID]) async throws -> (key: String, opening: Settlement<Opening>) {
    let opening = Settlement<Opening>()
    let key = try state.withLock { state throws(MCPErrorObject) -> String in
      for id in ids where state.keys[id] != nil {
        throw MCPErrorObject(.invalidRequest, "a request with this id is still open")
      }
      state.lastKey += 1
      let key = String(state.lastKey, radix: 36)
      state.streams[key] = Stream(log: EventLog(key: key, limit: settings.keptEvents), opening: opening)
      for id in ids { state.keys[id] = key }
      return key
    }
    try await self.incoming.put(incoming)
    return (key, opening)
  }

  // MARK: To the client

  func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
    switch message {
    case .result(let id, _), .failure(.some(let id), _): await answer(message, id)
    case .failure(nil, _): await tell(message, Self.standingKey)
    case .request, .notification:
      let key = context.related.flatMap { related in state.withLock { $0.keys[related] } } ?? Self.standingKey
      await tell(message, key)
    }
  }

  private func answer(_ message: MCPMessage, _ id: MCPRequestID) async {
    enum Way {
      case opening(Settlement<Opening>)
      case stream(String, isLast: Bool)
      case none
    }
    let way = state.withLock { state -> Way in
      guard let key = state.keys.removeValue(forKey: id) else { return .none }
      let isLast = !state.keys.values.contains(key)
      if isLast, let opening = state.streams[key]?.opening {
        state.streams[key] = nil
        return .opening(opening)
      }
      return .stream(key, isLast: isLast)
    }
    switch way {
    case .none: break
    case .opening(let opening): opening.settle(.success(.answer(message)))
    case .stream(let key, let isLast):
      await tell(message, key)
      if isLast { end(key) }
    }
  }

  func release(_ id: MCPRequestID) async {
    let (key, opening) = state.withLock { state -> (String?, Settlement<Opening>?) in
      guard let key = state.keys.removeValue(forKey: id), !state.keys.values.contains(key) else { return (nil, nil) }
      guard let opening = state.streams[key]?.opening else { return (key, nil) }
      state.streams[key] = nil
      return (nil, opening)
    }
    opening?.settle(.success(.nothing))
    if let key { end(key) }
  }

  private func tell(_ message: MCPMessage, _ key: String) async {
    let (opening, output, reader) = state.withLock { state in
      guard var stream = state.streams[key] else {
        return (nil as Settlement<Opening>?, nil as MessageQueue<[UInt8]>?, nil as CheckedContinuation<Void, Never>?)
      }
      let opening = stream.opening
      stream.opening = nil
      let bytes = stream.log.append(message)
      if stream.output != nil { stream.given = stream.log.last }
      state.streams[key] = stream
      // Within the lock, so that events go out in the order of their ids.
      return (opening, stream.output, stream.output?.add(bytes))
    }
    reader?.resume()
    opening?.settle(.success(.stream))
    await output?.waitUntilRoom()
  }

  /// Ends a stream whose requests are all answered.
  private func end(_ key: String) {
    let output = state.withLock { state -> MessageQueue<[UInt8]>? in
      state.streams[key]?.log.end()
      state.ended.append(key)
      if state.ended.count > Self.keptStreams { state.streams[state.ended.removeFirst()] = nil }
      return state.streams[key]?.output
    }
    if let output { StreamBody.end(output) }
  }

  /// Lets the client come back for the rest: its stream ends here and goes on when it is asked for.
  func disconnect(_ id: MCPRequestID) async {
    let (opening, output) = state.withLock { state in
      guard let key = state.keys[id], var stream = state.streams[key] else {
        return (nil as Settlement<Opening>?, nil as MessageQueue<[UInt8]>?)
      }
      defer { state.streams[key] = stream }
      let (opening, output) = (stream.opening, stream.output)
      stream.opening = nil
      stream.output = nil
      if opening != nil { stream.isDisconnected = true }
      return (opening, output)
    }
    opening?.settle(.success(.stream))
    if let output { StreamBody.end(output) }
  }

  /// A body that tells what is on a stream, from a place on; by default all that no reader was given. nil if there is no such
  /// stream.
  func body(of key: String, after place: Int? = nil) -> HTTPBody? {
    let number = state.withLock { state in
      state.lastReader += 1
      return state.lastReader
    }
    let body = StreamBody(keepAlive: settings.keepAlive, clock: clock) { [weak self] in self?.detach(key, number) }
    let (input, primes) = (body.input, revision.facts.primesStreams)
    let (isThere, isDone, replaced) = state.withLock { state in
      guard var stream = state.streams[key] else { return (false, false, nil as MessageQueue<[UInt8]>?) }
      var isDone = stream.log.hasEnded
      if place == nil, key != Self.standingKey, primes {
        // Nobody reads yet, so there is nobody to wake.
        _ = input.add(stream.log.prime(retry: settings.retryDelay))
      }
      if stream.isDisconnected {
        // Before it had a reader: only where to take it up again is told here.
        stream.isDisconnected = false
        isDone = true
      } else {
        for event in stream.log.events(after: place ?? stream.given) { _ = input.add(event) }
        stream.given = stream.log.last
      }
      let old = stream.output
      stream.output = isDone ? nil : input
      stream.reader = number
      state.streams[key] = stream
      return (true, isDone, old)
    }
    guard isThere else { return nil }
    if isDone { StreamBody.end(input) }
    if let replaced { StreamBody.end(replaced) }
    return HTTPBody(body)
  }

  /// A reader is gone. What is told from now on waits for the next.
  private func detach(_ key: String, _ reader: Int) {
    state.withLock { state in
      if state.streams[key]?.reader == reader { state.streams[key]?.output = nil }
    }
  }

  func close() async {
    let outputs = state.withLock { state -> [MessageQueue<[UInt8]>] in
      return state.streams.values.compactMap(\.output)
    }
    let openings = state.withLock { $0.streams.values.compactMap(\.opening) }
    incoming.end(MCPError(.connectionClosed, "the session has ended"))
    for output in outputs { StreamBody.end(output) }
    for opening in openings { opening.settle(.failure(MCPError(.connectionClosed, "the session has ended"))) }
  }
}
