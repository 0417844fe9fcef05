/// Reads the head of a response line by line, past interim (1xx) responses.
struct ResponseHeadParser {
  /// The most bytes that a head may have.
  static let limit = 256 << 10

  private var status = 0
  private var headers = HTTPHeaders()
  private var size = 0
  private var isComplete = false

  /// Takes a line with its line end. The head, when this is its last line. Lines after it (trailers) are ignored.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> (status: Int, headers: HTTPHeaders)? {
    if isComplete { return nil }
    size += line.count
    guard size <= Self.limit else {
      throw HTTPError(.tooLarge, "The head of the response is larger than \(Self.limit) bytes.")
    }
    let content = trimmed(UnsafeRawBufferPointer(rebasing: line[...]))
    if content.isEmpty {
      if status < 200 { return nil }
      isComplete = true
      return (status, headers)
    }
    if content.starts(with: "HTTP/".utf8) {
      status = try statusCode(content)
      headers = HTTPHeaders()
    } else if let first = line.first, first == 0x20 || first == 0x09, let last = headers.last {
      // A folded line (RFC 9112, 5.2).
      headers.replaceLast(value: last.value + " " + String(decoding: content, as: UTF8.self))
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      let value = trimmed(UnsafeRawBufferPointer(rebasing: content[(colon + 1)...]))
      headers.add(String(decoding: content[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    return nil
  }

  private func statusCode(_ line: UnsafeRawBufferPointer) throws(HTTPError) -> Int {
    let digits = line.drop { $0 != 0x20 }.dropFirst().prefix(3)
    guard digits.count == 3, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
      throw HTTPError(.invalidResponse, "The response has no status.")
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, Self.isBlank(bytes[start]) { start += 1 }
    while start < end, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
}
