import MartletHTTP

/// Cuts a stream into its events.
protocol FrameDecoder {
  init()
  /// The media types that such a stream may have.
  static var mediaTypes: [String] { get }
  /// Whether a body that begins with a byte can be such a stream.
  static func mayBegin(with byte: UInt8) -> Bool
  /// Whether a body that begins with these bytes, of which the first is no white space, is such a stream whatever its type
  /// says; nil where that cannot be told yet.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool?
  mutating func append(_ bytes: [UInt8])
  mutating func next() throws -> WireEvent?
  /// What is left when the connection ends: an event without its blank line, a line without its break.
  mutating func end() throws -> WireEvent?
}

struct EventFrames: FrameDecoder {
  static let mediaTypes = ["text/event-stream"]
  /// A field's name or a comment; not a JSON document or a page.
  static func mayBegin(with byte: UInt8) -> Bool {
    byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "<")
  }
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
    let starts = ["data:", "event:", "id:", "retry:", ":"]
    if starts.contains(where: { bytes.starts(with: $0.utf8) }) { return true }
    return starts.contains { $0.utf8.starts(with: bytes) } ? nil : false
  }
  private var decoder = ServerSentEventDecoder()

  mutating func append(_ bytes: [UInt8]) { decoder.append(bytes) }
  mutating func next() throws -> WireEvent? { try decoder.next().map(WireEvent.init) }
  mutating func end() throws -> WireEvent? { try decoder.finish().map(WireEvent.init) }
}

struct LineFrames: FrameDecoder {
  static let mediaTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines"]
  static func mayBegin(with byte: UInt8) -> Bool { byte != UInt8(ascii: "<") }
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? { bytes.first == UInt8(ascii: "{") }
  private var decoder = NDJSONDecoder()

  mutating func append(_ bytes: [UInt8]) { decoder.append(bytes) }
  mutating func next() throws -> WireEvent? { try decoder.next().map { WireEvent(type: "", data: $0) } }
  mutating func end() throws -> WireEvent? { try decoder.finish().map { WireEvent(type: "", data: $0) } }
}

extension WireEvent {
  fileprivate init(_ event: ServerSentEvent) { self.init(type: event.type, data: event.data) }
}
