/// Cuts newline-delimited JSON into its lines, however the bytes are split, in linear time. The lines are not parsed.
///
/// Append each chunk, then take lines until there are none; at the end of the stream call ``finish()``.
public struct NDJSONDecoder: Sendable {
  /// The most bytes that one line may have, by default 16 MiB.
  public let limit: Int

  private var lines = LineSplitter(terminators: .lineFeed)

  /// A decoder at the start of a stream.
  public init(limit: Int = 16 << 20) { self.limit = limit }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) { lines.append(bytes) }

  /// The next complete line without its line end (LF or CRLF), or `nil` if more bytes are needed. Blank lines are
  /// skipped. Usually a slice of the chunk it arrived in.
  /// - Throws: ``HTTPError/Code/tooLarge`` if a line exceeds ``limit``; the decoder is then of no more use.
  public mutating func next() throws(HTTPError) -> ArraySlice<UInt8>? {
    while let line = lines.next() {
      if let line = try take(line) { return line }
    }
    try check(lines.pendingCount)
    return nil
  }

  /// Ends the stream. Returns a last line without line end: whole with servers that leave it out, cut off after a lost
  /// connection (it is then rarely valid JSON).
  public mutating func finish() throws(HTTPError) -> ArraySlice<UInt8>? {
    if let line = try next() { return line }
    guard let line = lines.finish() else { return nil }
    return try take(line)
  }

  private func take(_ line: ArraySlice<UInt8>) throws(HTTPError) -> ArraySlice<UInt8>? {
    try check(line.count)
    let content = line.last == 0x0D ? line.dropLast() : line
    return content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : content
  }

  private func check(_ count: Int) throws(HTTPError) {
    if count > limit {
      throw HTTPError(.tooLarge, "A line of the stream is larger than the limit of \(limit) bytes.")
    }
  }
}
