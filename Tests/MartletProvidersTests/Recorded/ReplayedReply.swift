import Martlet
import MartletHTTP
import MartletJSON

@testable import MartletProviders

/// What a client makes of a recorded stream.
struct ReplayedReply {
  var blocks: [ContentBlock] = []
  var stopReason: StopReason?
  var usage = Usage()
  var error: ModelError?

  /// The ways in which a stream may come.
  enum Way: String, CaseIterable { case whole, bytes, crlf, comments }

  /// Assembles a body.
  init<Decoder: WireDecoder>(
    _ body: [UInt8], _ way: Way, errors: any ProviderErrorReader, makeDecoder: () -> Decoder
  ) async {
    let text = String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n")
    let transport =
      switch way {
      case .whole: ReplayTransport(body)
      case .bytes: ReplayTransport(body, chunkSize: 1)
      case .crlf: ReplayTransport(Array(text.replacing("\n", with: "\r\n").utf8), chunkSize: 7)
      case .comments: ReplayTransport(Array(text.replacing("\n\n", with: "\n\n: ping\n\n").utf8))
      }
    var events: [ModelEvent] = []
    do {
      if way == .bytes, body.count > 30_000 {
        // The transport between is the same for every stream, and slow at this in debug builds.
        try Self.decodeByBytes(body, makeDecoder(), into: &events)
      } else {
        var stream = ProviderStream<EventFrames, Decoder>(
          transport: transport, errors: errors, decoder: makeDecoder()
        ) { HTTPRequest(.post, "http://localhost/") }
        while let batch = try await stream.next() { events += batch }
      }
    } catch {
      self.error = error as? ModelError ?? ModelError(code: .serverError, message: "untyped: \(error)")
    }
    take(events)
  }

  private static func decodeByBytes(
    _ body: [UInt8], _ decoder: some WireDecoder, into events: inout [ModelEvent]
  ) throws {
    var frames = EventFrames()
    var decoder = decoder
    for byte in body {
      frames.append([byte])
      while !decoder.isComplete, let event = try frames.next() { try decoder.take(event, into: &events) }
    }
    if !decoder.isComplete, let rest = try frames.end() { try decoder.take(rest, into: &events) }
    try decoder.end(into: &events)
  }

  private mutating func take(_ events: [ModelEvent]) {
    var blocks: [Int: ContentBlock] = [:]
    for event in events {
      switch event {
      case .block(let block, let index): blocks[index] = block
      case .finished(let reason, let counts): (stopReason, usage) = (reason, counts)
      default: break
      }
    }
    self.blocks = blocks.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension JSONValue {
  /// Without members that are null or empty arrays: there, absent or empty is one.
  var pruned: JSONValue {
    switch self {
    case .object(let object):
      .object(JSONObject(object.lazy.filter { !$0.value.isNull && $0.value != [] }.map { ($0.key, $0.value.pruned) }))
    case .array(let values): .array(values.map(\.pruned))
    default: self
    }
  }
}
