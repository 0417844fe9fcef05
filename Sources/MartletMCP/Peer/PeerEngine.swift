import MartletJSON

/// Both ways of a connection: which requests are open, which messages belong to them, and when they are given up.
///
/// Pure: facts go in with the time, effects come out for the caller to perform in order.
struct PeerEngine: Sendable {
  enum Outcome: Sendable, Hashable {
    case result(JSONObject)
    case failure(MCPError)
    case cancelled
  }

  enum Effect: Sendable, Hashable {
    /// Send a message.
    case send(MCPMessage)
    /// Nobody waits for the answer any more: end its stream.
    case abandon(MCPRequestID)
    /// Tell who waits for a request of ours. Never twice for one request.
    case finish(Int64, Outcome)
    /// Tell who waits how far it has come.
    case progress(Int64, MCPProgress)
    /// Work on a request of the peer and give the answer to `answer`.
    case serve(MCPRequestID, method: String, params: JSONObject?)
    /// Stop that work.
    case stop(MCPRequestID)
    case notify(method: String, params: JSONObject?)
    /// Take a result that came when its request was already given up: what it began is of no use to anybody.
    case unwanted(JSONObject)
    case report(MCPIncident)
  }

  /// How long a request of ours may take.
  struct Patience: Sendable, Hashable {
    /// Without any sign of life; nil for ever.
    var silence: Duration?
    /// In all, whatever progress is told; nil for ever.
    var total: Duration?
  }

  private struct Call {
    let method: String
    let silence: Duration?
    var deadline: Duration?
    let cap: Duration?
  }

  /// The most requests of the peer that are worked on at the same time.
  static let servedLimit = 256

  /// Whether an array of messages may come.
  var takesBatches = false
  /// Whether the peer is told about a request that is given up; otherwise its stream is closed.
  var notifiesCancellation = true

  private var lastID: Int64 = 0
  private var calls: [Int64: Call] = [:]
  private var served: Set<MCPRequestID> = []
  /// Ids of requests that are over, the last few: an answer to one of them is late or doubled and means nothing.
  private var past: [Int64] = []
  /// Of those, the ones that were given up and may have been answered all the same.
  private var givenUp: Set<Int64> = []
  private static let pastLimit = 128

  /// How many requests of ours wait for an answer.
  var openCount: Int { calls.count }

  // MARK: Requests of ours

  /// Begins a request. It always has a progress token, so that progress can renew its patience; the token is the id.
  mutating func begin(
    _ method: String, _ params: JSONObject, patience: Patience, now: Duration
  ) -> (id: Int64, message: MCPMessage) {
    lastID += 1
    var params = params
    if method != Method.initialize, method != Method.discover, method != Method.ping {
      var meta = params["_meta"]?.objectValue ?? [:]
      meta[MetaKey.progressToken] = JSONValue(lastID)
      params["_meta"] = .object(meta)
    }
    let cap = patience.total.map { now + $0 }
    calls[lastID] = Call(
      method: method, silence: patience.silence,
      deadline: [patience.silence.map { now + $0 }, cap].compactMap(\.self).min(), cap: cap)
    return (lastID, .request(.integer(lastID), method: method, params: params.isEmpty ? nil : params))
  }

  /// When the next request of ours is given up.
  var nextDeadline: Duration? { calls.values.compactMap(\.deadline).min() }

  /// When the request that began last is given up.
  var lastDeadline: Duration? { calls[lastID]?.deadline }

  /// Gives up what is due.
  mutating func pass(now: Duration) -> [Effect] {
    let due = calls.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
    return due.flatMap { id -> [Effect] in
      guard let call = calls[id] else { return [] }
      let error = MCPError(.timedOut, "the peer did not answer \(call.method) in time")
      return giveUp(id, .failure(error), reason: "timed out")
    }
  }

  /// The caller does not want the answer any more.
  mutating func cancel(_ id: Int64) -> [Effect] { giveUp(id, .cancelled, reason: "cancelled") }

  /// The request could not be sent: nobody is told.
  mutating func withdraw(_ id: Int64) { if close(id) != nil { givenUp.insert(id) } }

  private mutating func giveUp(_ id: Int64, _ outcome: Outcome, reason: String) -> [Effect] {
    guard let call = close(id) else { return [] }
    givenUp.insert(id)
    var effects: [Effect] = [.finish(id, outcome)]
    // The protocol forbids cancelling the handshake.
    if notifiesCancellation, call.method != Method.initialize {
      let params: JSONObject = ["requestId": JSONValue(id), "reason": .string(reason)]
      effects.append(.send(.notification(method: Method.cancelled, params: params)))
    }
    effects.append(.abandon(.integer(id)))
    return effects
  }

  @discardableResult
  private mutating func close(_ id: Int64) -> Call? {
    guard let call = calls.removeValue(forKey: id) else { return nil }
    past.append(id)
    if past.count >= 2 * Self.pastLimit {
      for old in past.prefix(past.count - Self.pastLimit) { givenUp.remove(old) }
      past.removeFirst(past.count - Self.pastLimit)
    }
    return call
  }

  /// The connection is over: all fail.
  mutating func end(_ error: MCPError) -> [Effect] {
    let open = calls.keys.sorted()
    calls = [:]
    let stopped = served
    served = []
    return open.map { .finish($0, .failure(error)) } + stopped.map { .stop($0) }
  }

  // MARK: What arrives

  mutating func receive(_ incoming: MCPIncoming, now: Duration) -> [Effect] {
    switch incoming {
    case .message(let message): receive(message, now: now)
    case .lost(let id, let error): finish(id, .failure(error))
    case .fault(let fault): receive(fault)
    case .batch(let elements): receive(batch: elements, now: now)
    }
  }

  private mutating func receive(batch elements: [MCPIncoming], now: Duration) -> [Effect] {
    if takesBatches { return elements.flatMap { receive($0, now: now) } }
    var effects: [Effect] = [.report(.unexpectedBatch(elements.count))]
    var hasRequests = false
    for element in elements {
      guard case .message(let message) = element else { continue }
      switch message {
      case .result(let id, _), .failure(.some(let id), _):
        // Better than to let the caller wait for what will not come again.
        effects += finish(
          id, .failure(MCPError(.invalidResponse, "the answer came in an array, which this revision does not have")))
      case .request: hasRequests = true
      case .notification, .failure(nil, _): break
      }
    }
    if hasRequests {
      let error = MCPErrorObject(.invalidRequest, "this revision has no arrays of messages")
      effects.append(.send(.failure(nil, error)))
    }
    return effects
  }

  private mutating func receive(_ fault: MCPFault) -> [Effect] {
    let report = Effect.report(.fault(fault))
    if fault.role == .request || (fault.role == .unknown && fault.id != nil && !fault.isTooLarge) {
      return [report, .send(.failure(fault.id, fault.error))]
    }
    let error = MCPError(fault.isTooLarge ? .tooLarge : .invalidResponse, "the answer cannot be used: \(fault)")
    if let id = fault.id { return [report] + finish(id, .failure(error)) }
    // Whoever waits would wait in vain for what was thrown away.
    if fault.isTooLarge, let oldest = calls.keys.min() { return [report] + finish(.integer(oldest), .failure(error)) }
    return [report]
  }

  private mutating func receive(_ message: MCPMessage, now: Duration) -> [Effect] {
    switch message {
    case .result(let id, let result): return finish(id, .result(result))
    case .failure(let id?, let error): return finish(id, .failure(MCPError(error)))
    case .failure(nil, let error):
      // The peer could not read which request it was. The oldest has waited longest.
      guard let oldest = calls.keys.min() else { return [.report(.strayReply(nil))] }
      return [.report(.replyWithoutID)] + finish(.integer(oldest), .failure(MCPError(error)))
    case .request(let id, let method, let params):
      guard !served.contains(id) else {
        return [.send(.failure(id, MCPErrorObject(.invalidRequest, "a request with this id is still open")))]
      }
      guard served.count < Self.servedLimit else {
        return [.send(.failure(id, MCPErrorObject(.internalError, "too many requests at once; try again later")))]
      }
      served.insert(id)
      return [.serve(id, method: method, params: params)]
    case .notification(Method.cancelled, let params):
      guard let id = params?["requestId"].flatMap(MCPRequestID.init(json:)), served.remove(id) != nil else {
        return [.notify(method: Method.cancelled, params: params)]
      }
      return [.stop(id)]
    case .notification(Method.progress, let params): return receive(progress: params ?? [:], now: now)
    case .notification(let method, let params): return [.notify(method: method, params: params)]
    }
  }

  private mutating func receive(progress params: JSONObject, now: Duration) -> [Effect] {
    let token = params[MetaKey.progressToken].flatMap(MCPRequestID.init(json:))
    guard let id = token.flatMap(openCall), let progress = params[double: "progress"] else { return [] }
    if let call = calls[id], let silence = call.silence {
      calls[id]?.deadline = [now + silence, call.cap].compactMap(\.self).min()
    }
    return [
      .progress(id, MCPProgress(progress, total: params[double: "total"], message: params[string: "message"]))
    ]
  }

  /// The request that an id on the wire means. Some peers echo a number as text.
  private func openCall(_ id: MCPRequestID) -> Int64? {
    switch id {
    case .integer(let number): calls[number] == nil ? nil : number
    case .string(let text): Int64(text).flatMap { calls[$0] == nil ? nil : $0 }
    }
  }

  private mutating func finish(_ id: MCPRequestID, _ outcome: Outcome) -> [Effect] {
    if let open = openCall(id) {
      close(open)
      let finish = Effect.finish(open, outcome)
      if case .string = id { return [.report(.replyIDOfOtherType(id)), finish] }
      return [finish]
    }
    if case .integer(let number) = id, past.contains(number) {
      guard givenUp.remove(number) != nil, case .result(let result) = outcome else { return [.report(.lateReply(id))] }
      return [.report(.lateReply(id)), .unwanted(result)]
    }
    return [.report(.strayReply(id))]
  }

  // MARK: Requests of the peer

  /// The answer to a request of the peer; nothing is sent for one that was cancelled meanwhile.
  mutating func answer(_ id: MCPRequestID, _ answer: Result<JSONObject, MCPErrorObject>) -> [Effect] {
    guard served.remove(id) != nil else { return [] }
    return switch answer {
    case .success(let result): [.send(.result(id, result))]
    case .failure(let error): [.send(.failure(id, error))]
    }
  }
}
