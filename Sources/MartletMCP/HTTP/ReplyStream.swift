import MartletHTTP

/// What comes on one stream of a server, up to the answer to one request. Pure.
struct ReplyStream {
  /// The request whose answer ends it; nil for a stream that has no end of its own.
  private let id: MCPRequestID?
  private let limit: Int
  private var decoder: ServerSentEventDecoder
  private var waiting: [MCPIncoming] = []
  private(set) var isAnswered = false
  /// Where to take it up again; empty where it cannot be.
  private(set) var lastEventID = ""
  /// How long the server asks to wait before that.
  private(set) var delay: Duration?
  /// Where messages are to be sent, if the stream has said so (2024-11-05).
  private(set) var endpoint: String?

  init(id: MCPRequestID?, limit: Int) {
    self.id = id
    self.limit = limit
    decoder = ServerSentEventDecoder(limit: limit)
  }

  mutating func append(_ bytes: [UInt8]) throws {
    decoder.append(bytes)
    while let event = try decoder.next() { take(event) }
    note()
  }

  /// The stream has ended: an event without its blank line counts, if it is whole.
  mutating func finish() throws {
    guard let event = try decoder.finish() else { return }
    if case .message = MCPIncoming(decoding: event.data) { take(event) }
  }

  /// Another response goes on with the same stream.
  mutating func restart() { decoder = ServerSentEventDecoder(limit: limit) }

  mutating func take(_ incoming: MCPIncoming) {
    waiting.append(incoming)
    if answers(incoming) { isAnswered = true }
  }

  mutating func takeAll() -> [MCPIncoming] {
    defer { waiting = [] }
    return waiting
  }

  private mutating func take(_ event: ServerSentEvent) {
    switch event.type {
    case "message":
      // One without data only tells its id.
      if !event.data.isEmpty { take(MCPIncoming(decoding: event.data)) }
    case "endpoint": endpoint = event.text
    default: break
    }
  }

  private mutating func note() {
    if !decoder.lastEventID.isEmpty { lastEventID = decoder.lastEventID }
    if let wanted = decoder.reconnectionDelay { delay = wanted }
  }

  private func answers(_ incoming: MCPIncoming) -> Bool {
    guard let id else { return false }
    switch incoming {
    case .message(.result(let answered, _)): return answered == id || isText(answered, of: id)
    // An error without an id can only mean the request that this is the answer to.
    case .message(.failure(let answered, _)): return answered.map { $0 == id || isText($0, of: id) } ?? true
    case .batch(let elements): return elements.contains(where: answers)
    case .fault(let fault): return fault.id == id && fault.role == .reply
    default: return false
    }
  }

  private func isText(_ answered: MCPRequestID, of id: MCPRequestID) -> Bool {
    if case .integer(let number) = id { answered == .string("\(number)") } else { false }
  }
}
