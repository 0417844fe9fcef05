/// A text that is kept whole and read in parts: its lines, the longest of them broken.
package struct KeptText: Sendable {
  /// UTF-8 bytes of the longest line. Longer ones count as several, so that every part of a text can be asked for.
  package static let lineLimit = 2_000
  /// What the name of a kept result begins with, where a file's path is expected.
  package static let scheme = "result:"

  private let bytes: [UInt8]
  /// Where each line begins and ends, without its line break.
  private var ranges: [Range<Int>] = []

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count {
      let limit = min(bytes.count, start + Self.lineLimit)
      if let end = bytes[start..<limit].firstIndex(of: 0x0A) {
        ranges.append(start..<end)
        start = end + 1
        continue
      }
      var end = limit
      if limit < bytes.count, bytes[limit] != 0x0A {
        // Not within a character: one has at most four bytes.
        while end > limit - 4, end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      }
      ranges.append(start..<end)
      start = end < bytes.count && bytes[end] == 0x0A ? end + 1 : end
    }
  }

  /// How many lines there are.
  package var count: Int { ranges.count }

  /// A line, counted from 0.
  package subscript(index: Int) -> String { String(decoding: bytes[ranges[index]], as: UTF8.self) }

  /// The beginning and the end in about `limit` bytes of UTF-8, and between them what `notice` says of the lines, counted
  /// from 1, that are left out.
  func excerpt(limit: Int, notice: (_ left: ClosedRange<Int>, _ count: Int) -> String) -> String {
    let half = limit / 2
    var (head, tail) = (0, ranges.count)
    var room = half
    while head < tail, ranges[head].count < room {
      room -= ranges[head].count + 1
      head += 1
    }
    room = half
    while tail > head, ranges[tail - 1].count < room {
      room -= ranges[tail - 1].count + 1
      tail -= 1
    }
    var text = ""
    for index in 0..<head { text += self[index] + "\n" }
    if head < tail { text += notice(head + 1...tail, ranges.count) + "\n" }
    for index in tail..<ranges.count { text += self[index] + "\n" }
    return String(text.dropLast())
  }
}
