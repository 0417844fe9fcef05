/// Turns the bytes of a reply into text as they come: only whole characters, and nothing that may turn out to be the
/// start of a stop string.
struct ReplyText: Sendable {
  private let stops: [[UInt8]]
  /// Bytes that were not handed out yet.
  private var pending: [UInt8] = []
  /// The stop string that ended the text.
  private(set) var stop: String?

  init(stops: [String] = []) {
    self.stops = stops.filter { !$0.isEmpty }.map { Array($0.utf8) }
  }

  /// Text that is certain after these bytes; after a stop string nothing more comes.
  mutating func append(_ bytes: some Sequence<UInt8>) -> String {
    guard stop == nil else { return "" }
    pending += bytes
    if let (index, found) = firstStop() {
      stop = String(decoding: found, as: UTF8.self)
      let text = String(decoding: pending[..<index], as: UTF8.self)
      pending = []
      return text
    }
    let ready = min(Self.wholeCharacters(pending), pending.count - heldBack())
    guard ready > 0 else { return "" }
    // A held-back start of a stop string may begin within a character only if the stop string does.
    let text = String(decoding: pending[..<ready], as: UTF8.self)
    pending.removeFirst(ready)
    return text
  }

  /// What was held back; an unfinished character becomes U+FFFD.
  mutating func finish() -> String {
    defer { pending = [] }
    return String(decoding: pending, as: UTF8.self)
  }

  private func firstStop() -> (Int, [UInt8])? {
    for index in pending.indices {
      for stop in stops where pending[index...].starts(with: stop) { return (index, stop) }
    }
    return nil
  }

  /// How many bytes at the end are the beginning of a stop string.
  private func heldBack() -> Int {
    let longest = stops.map(\.count).max() ?? 0
    for length in stride(from: min(pending.count, longest - 1), to: 0, by: -1) {
      if stops.contains(where: { $0.starts(with: pending.suffix(length)) }) { return length }
    }
    return 0
  }

  /// How many bytes come before a character that more bytes could still complete.
  static func wholeCharacters(_ bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0b1100_0000 == 0b1000_0000 { continue }  // within a character
      let length =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      return length > back ? bytes.count - back : bytes.count
    }
    return bytes.count
  }
}
