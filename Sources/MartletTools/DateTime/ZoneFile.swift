/// A compiled time zone (TZif, RFC 8536; versions 1 to 4): when the clocks of a place changed, and how they go on.
///
/// Read by us because Foundation's `TimeZone` needs ICU on Linux: 10 ms of every start, and nothing at all when the
/// standard library is linked statically.
struct ZoneFile: Hashable, Sendable {
  struct Malformed: Error {}

  private var transitions: [Int] = []
  /// For each transition, the index of what holds from it on.
  private var indices: [UInt8] = []
  private var offsets: [ZoneOffset] = []
  private var rule: DaylightRule?

  init(_ bytes: [UInt8]) throws(Malformed) {
    var reader = Reader(bytes: bytes)
    let first = try Header(&reader)
    if first.version == 0 {
      try readBody(first, &reader, timeSize: 4)
      return
    }
    // The 32-bit block is for old readers only.
    try reader.skip(first.bodySize(timeSize: 4))
    let second = try Header(&reader)
    try readBody(second, &reader, timeSize: 8)
    rule = DaylightRule(String(decoding: try reader.line(), as: UTF8.self))
  }

  func offset(at seconds: Int) -> ZoneOffset {
    guard let last = transitions.last, let first = transitions.first else {
      return rule?.offset(at: seconds) ?? offsets[0]
    }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    if seconds < first { return offsets[0] }
    var (low, high) = (0, transitions.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle } else { high = middle }
    }
    return offsets[Int(indices[low])]
  }

  private mutating func readBody(_ header: Header, _ reader: inout Reader, timeSize: Int) throws(Malformed) {
    guard header.typeCount > 0 else { throw Malformed() }
    for _ in 0..<header.timeCount { transitions.append(try reader.integer(size: timeSize)) }
    for _ in 0..<header.timeCount {
      let index = try reader.byte()
      guard index < header.typeCount else { throw Malformed() }
      indices.append(index)
    }
    var types: [(seconds: Int, isDaylightSaving: Bool, name: Int)] = []
    for _ in 0..<header.typeCount {
      types.append((try reader.integer(size: 4), try reader.byte() != 0, Int(try reader.byte())))
    }
    let names = try reader.bytes(header.charCount)
    for type in types {
      guard type.name < names.count, abs(type.seconds) <= 26 * 3_600 else { throw Malformed() }
      let name = names[(names.startIndex + type.name)...].prefix { $0 != 0 }
      offsets.append(
        ZoneOffset(
          seconds: type.seconds, isDaylightSaving: type.isDaylightSaving,
          abbreviation: String(decoding: name, as: UTF8.self)))
    }
    guard zip(transitions, transitions.dropFirst()).allSatisfy(<) else { throw Malformed() }
    try reader.skip(header.leapCount * (timeSize + 4) + header.standardCount + header.utcCount)
  }

  private struct Header {
    let version: UInt8
    let utcCount, standardCount, leapCount, timeCount, typeCount, charCount: Int

    init(_ reader: inout Reader) throws(Malformed) {
      guard try reader.bytes(4).elementsEqual("TZif".utf8) else { throw Malformed() }
      version = try reader.byte()
      try reader.skip(15)
      var counts: [Int] = []
      for _ in 0..<6 { counts.append(try reader.integer(size: 4)) }
      // Real files have a few hundred of each.
      guard counts.allSatisfy({ (0...100_000).contains($0) }) else { throw Malformed() }
      (utcCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
      (timeCount, typeCount, charCount) = (counts[3], counts[4], counts[5])
    }

    func bodySize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + charCount + leapCount * (timeSize + 4) + standardCount + utcCount
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    mutating func bytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
      guard count >= 0, count <= bytes.count - position else { throw Malformed() }
      defer { position += count }
      return bytes[position..<position + count]
    }

    mutating func skip(_ count: Int) throws(Malformed) { _ = try bytes(count) }

    mutating func byte() throws(Malformed) -> UInt8 { try bytes(1).first ?? 0 }

    /// A big-endian signed number.
    mutating func integer(size: Int) throws(Malformed) -> Int {
      let bytes = try bytes(size)
      let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return size == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(Int64(bitPattern: value))
    }

    /// The text between two newlines.
    mutating func line() throws(Malformed) -> ArraySlice<UInt8> {
      guard try byte() == UInt8(ascii: "\n"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
        throw Malformed()
      }
      return bytes[position..<end]
    }
  }
}
