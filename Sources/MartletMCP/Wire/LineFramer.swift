import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts a stream of bytes into messages, one a line, in linear time and bounded memory.
struct LineFramer: Sendable {
  /// The most bytes of a line.
  let limit: Int
  /// What arrived and was not looked at yet.
  private var chunk: ArraySlice<UInt8> = []
  /// A line that has begun. Of one that is too long only the beginning, to tell what it was.
  private var open: [UInt8] = []
  /// Bytes of the line that has begun.
  private var openCount = 0

  /// So much of a line that is too long is kept: its id is among the first members.
  private static let keptOfTooLong = 4_096

  init(limit: Int) { self.limit = limit }

  mutating func append(_ bytes: [UInt8]) {
    if chunk.isEmpty { chunk = bytes[...] } else { chunk += bytes }
  }

  /// What the next line holds; nil when its end is not there yet. Blank lines are passed over.
  mutating func next() -> MCPIncoming? {
    while !chunk.isEmpty {
      guard let newline = Self.newline(in: chunk) else {
        extend(chunk)
        chunk = []
        return nil
      }
      let rest = chunk[..<newline]
      chunk = chunk[(newline + 1)...]
      if openCount == 0, rest.count <= limit {
        if let incoming = Self.decoded(rest) { return incoming }
        continue
      }
      extend(rest)
      if let incoming = close() { return incoming }
    }
    return nil
  }

  /// What is left when the stream ends, which may be half a message.
  mutating func finish() -> MCPIncoming? {
    if let incoming = next() { return incoming }
    return openCount == 0 ? nil : close()
  }

  private mutating func extend(_ bytes: ArraySlice<UInt8>) {
    openCount += bytes.count
    if openCount <= limit {
      open += bytes
    } else {
      let kept = min(limit, Self.keptOfTooLong)
      if open.count > kept {
        open = Array(open[..<kept])
      } else {
        open += bytes.prefix(kept - open.count)
      }
    }
  }

  private mutating func close() -> MCPIncoming? {
    let (bytes, count) = (open, openCount)
    open = []
    openCount = 0
    guard count > limit else { return Self.decoded(bytes[...]) }
    let (id, isReply) = Self.beginning(of: bytes)
    return .fault(
      MCPFault(
        .invalidRequest, "a message of \(count) bytes is larger than the limit of \(limit) bytes", id: id,
        role: isReply ? .reply : .unknown, size: count, isTooLarge: true))
  }

  private static func decoded(_ line: ArraySlice<UInt8>) -> MCPIncoming? {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return nil }
    return MCPIncoming(decoding: line)
  }

  /// The id of a message of which only the beginning is there, and whether it is a reply.
  private static func beginning(of bytes: [UInt8]) -> (MCPRequestID?, isReply: Bool) {
    var id: MCPRequestID?
    var isReply = false
    // Ends with an error where the beginning ends.
    try? JSONScanner.scan(bytes[...]) { scanner throws(JSONError) in
      guard try scanner.enterObject() else { return }
      while try scanner.nextMember() {
        if scanner.isKey("id") {
          id = MCPRequestID(json: try scanner.value())
        } else {
          if scanner.isKey("result") || scanner.isKey("error") { isReply = true }
          try scanner.skip()
        }
      }
    }
    return (id, isReply)
  }

  private static func newline(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, let place = memchr(start, 0x0A, buffer.count) else { return nil }
      return bytes.startIndex + (UnsafeRawPointer(place) - start)
    }
  }
}

extension MCPIncoming {
  /// What a stream of bytes holds, one message a line, however it is cut. A message of more bytes than `limit` is a fault.
  public static func all(in chunks: some Sequence<[UInt8]>, limit: Int = 64 << 20) -> [MCPIncoming] {
    var framer = LineFramer(limit: limit)
    var found: [MCPIncoming] = []
    for chunk in chunks {
      framer.append(chunk)
      while let incoming = framer.next() { found.append(incoming) }
    }
    while let incoming = framer.finish() { found.append(incoming) }
    return found
  }
}
