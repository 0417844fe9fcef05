#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Decodes a `text/event-stream` from bytes, however they are split, in linear time.
///
/// Append each chunk, then take events until there are none:
/// ```swift
/// var decoder = ServerSentEventDecoder()
/// for try await chunk in response.body {
///   decoder.append(chunk)
///   while let event = try decoder.next() { … }
/// }
/// if let cutOff = try decoder.finish() { … }
/// ```
/// Follows "9.2.6 Interpreting an event stream" of the WHATWG HTML standard: lines end with LF, CR or CRLF and nothing
/// else (U+2028 is text), comments are skipped, one byte order mark at the start is ignored, an event without `data` is
/// not an event, an `id` with NUL is ignored. Differs in one point: the standard drops an event that the stream does not
/// end with a blank line; here ``finish()`` hands it over, and the caller decides.
public struct ServerSentEventDecoder: Sendable {
  /// The most bytes that one event may have, by default 16 MiB: the data of its lines before, and any line as it is sent.
  public let limit: Int
  /// How long the server asks to wait before a reconnection: the last `retry` field.
  public private(set) var reconnectionDelay: Duration?
  /// The id to send as `last-event-id` when reconnecting; empty if there was none.
  public private(set) var lastEventID = ""

  private var lines = LineSplitter(terminators: .lineFeedOrCarriageReturn)
  private var atStart = true

  // The event being collected. Its data stays a slice of the chunk as long as it is one line, as most are.
  private var data: ArraySlice<UInt8> = []
  private var hasData = false
  private var type = ""
  private var id = ""
  /// The last type seen, as text and as bytes: a stream of equal types makes one string.
  private var knownType = "message"
  private var knownTypeBytes = Array("message".utf8)

  /// A decoder at the start of a stream.
  public init(limit: Int = 16 << 20) { self.limit = limit }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { lines.append(bytes) }

  /// The next complete event, or `nil` if more bytes are needed.
  /// - Throws: ``HTTPError/Code/tooLarge`` if an event exceeds ``limit``; the decoder is then of no more use.
  public mutating func next() throws(HTTPError) -> ServerSentEvent? {
    while let line = lines.next() {
      if let event = try take(line) {
        lastEventID = event.id
        return event
      }
    }
    try check(data.count + lines.pendingCount)
    return nil
  }

  /// Ends the stream. Returns the event that was begun and not ended with a blank line, if it has data, including a line
  /// without terminator: whole with servers that leave the last blank line out, cut off after a lost connection.
  /// ``lastEventID`` does not count it.
  public mutating func finish() throws(HTTPError) -> ServerSentEvent? {
    if let event = try next() { return event }
    if let line = lines.finish() { _ = try take(line) }
    return dispatch()
  }

  private func check(_ count: Int) throws(HTTPError) {
    if count > limit {
      throw HTTPError(.tooLarge, "An event of the stream is larger than the limit of \(limit) bytes.")
    }
  }

  private mutating func take(_ rawLine: ArraySlice<UInt8>) throws(HTTPError) -> ServerSentEvent? {
    // By its bytes on the wire, of whatever field, as for a line that is not complete: so cuts change nothing.
    try check(data.count + rawLine.count)
    var line = rawLine
    if atStart {
      atStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    }
    switch line.first {
    case nil:
      return dispatch()
    case UInt8(ascii: "d"):
      if let value = Self.value(of: "data", in: line) {
        if hasData {
          data.append(0x0A)
          data += value
        } else {
          data = value
          hasData = true
        }
      }
    case UInt8(ascii: "e"):
      if let value = Self.value(of: "event", in: line) { type = string(value) }
    case UInt8(ascii: "i"):
      if let value = Self.value(of: "id", in: line), !value.contains(0) {
        id = String(decoding: value, as: UTF8.self)
      }
    case UInt8(ascii: "r"):
      if let value = Self.value(of: "retry", in: line), let milliseconds = Self.milliseconds(value) {
        reconnectionDelay = milliseconds
      }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      data = []
      hasData = false
      type = ""
    }
    guard hasData else {
      lastEventID = id
      return nil
    }
    return ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id)
  }

  private mutating func string(_ bytes: ArraySlice<UInt8>) -> String {
    let isKnown = knownTypeBytes.withUnsafeBytes { known in
      bytes.withUnsafeBytes { bytes in
        guard known.count == bytes.count, let left = known.baseAddress, let right = bytes.baseAddress else {
          return false
        }
        return memcmp(left, right, bytes.count) == 0
      }
    }
    if !isKnown {
      knownType = String(decoding: bytes, as: UTF8.self)
      knownTypeBytes = Array(bytes)
    }
    return knownType
  }

  /// What follows `field` and its colon, without one leading space; `nil` if the line is another field's.
  private static func value(of field: StaticString, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let length = field.utf8CodeUnitCount
    guard line.count >= length else { return nil }
    var index = line.startIndex
    for offset in 0..<length {
      guard line[index] == field.utf8Start[offset] else { return nil }
      index += 1
    }
    guard index < line.endIndex else { return line[index...] }
    guard line[index] == UInt8(ascii: ":") else { return nil }
    index += 1
    if index < line.endIndex, line[index] == 0x20 { index += 1 }
    return line[index...]
  }

  /// A `retry` value: ASCII digits only, else it is ignored.
  private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
    guard !value.isEmpty, value.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) }
  }
}
