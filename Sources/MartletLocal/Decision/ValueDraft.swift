/// Guesses how a value goes on, from what was said and from the choices of its schema.
///
/// A guess costs little and decides nothing: the model reads the guessed tokens in one step instead of one step each, and
/// keeps of them only those that it would have written itself (prompt lookup decoding, after Saxena 2023; speculative
/// decoding, Leviathan, Kalman and Matias, 2023).
struct ValueDraft: Sendable {
  /// What values may have been taken from.
  private let said: [UInt8]
  /// Whole values as they are spelled, where only these may come.
  private let choices: [[UInt8]]
  /// Numbers to try first, best first; none where the value is no number.
  private let numbers: [[UInt8]]
  /// What stands before a value and belongs to the text that is guessed on from.
  private let start: UInt8?
  /// What of the value was written before.
  private var before: [UInt8] = []

  /// So much of the written text is looked for at most, and so much is guessed at most, in bytes.
  private static let lookback = 32
  private static let most = 24

  init(said: String, choices: [String] = [], numbers: [String] = [], start: String = "") {
    self.said = Array(said.utf8)
    self.choices = choices.map { Array($0.utf8) }
    self.numbers = numbers.map { Array($0.utf8) }
    self.start = start.utf8.first
  }

  /// The same for a value whose beginning is written already.
  func after(_ beginning: String) -> ValueDraft {
    var draft = self
    draft.before = Array(beginning.utf8)
    return draft
  }

  /// How the text may go on; `nil` without an idea.
  func rest(of text: String) -> String? {
    var value = Array(text.utf8)[...]
    if before.isEmpty, let first = value.first, first == start { value = value.dropFirst() }
    guard let rest = rest(of: (before + value)[...]), !rest.isEmpty else { return nil }
    // A cut within a character would be another token.
    let found = String(decoding: rest, as: UTF8.self)
    return found.utf8.elementsEqual(rest) ? found : nil
  }

  private func rest(of value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if !choices.isEmpty {
      let possible = choices.filter { $0.count > value.count && $0.starts(with: value) }
      return possible.count == 1 ? possible[0].dropFirst(value.count) : nil
    }
    guard !value.isEmpty else { return numbers.first?[...] }
    let isInText = Self.isInText(value)
    let recent = value.suffix(Self.lookback)
    for start in recent.indices where start == value.startIndex || Self.isBoundary(recent, before: start) {
      if !Self.isWord(recent[start]) { continue }
      if let found = Self.find(recent[start...], in: said) { return rest(from: found, isInText: isInText) }
    }
    guard !isInText else { return nil }
    return numbers.first { $0.count > value.count && $0.starts(with: value) }?.dropFirst(value.count)
  }

  /// What was said from a place on, as far as it can be part of the value; the end of a text where nothing can.
  private func rest(from place: Int, isInText: Bool) -> ArraySlice<UInt8> {
    var end = place
    while end < said.count, end - place < Self.most {
      let byte = said[end]
      if isInText ? Self.endsText(byte) : !Self.isNumeric(byte) { break }
      if [UInt8(ascii: "."), UInt8(ascii: ",")].contains(byte) {
        // The end of a sentence or a clause, unless a number goes on.
        let next = end + 1 < said.count ? said[end + 1] : 0
        if isInText ? !Self.isWord(next) : !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { break }
      }
      end += 1
    }
    let isWhole = end == said.count || end - place < Self.most
    if !isWhole {
      while end > place, Self.isWord(said[end - 1]), Self.isWord(said[end]) { end -= 1 }
    }
    while end > place, said[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return isInText && end == place && isWhole ? [UInt8(ascii: "\"")] : said[place..<end]
  }

  private static func isInText(_ value: ArraySlice<UInt8>) -> Bool {
    var isInText = false
    var isEscaped = false
    for byte in value {
      if isEscaped {
        isEscaped = false
      } else if isInText && byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      }
    }
    return isInText
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isNumeric(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == 0x2E }

  private static func endsText(_ byte: UInt8) -> Bool {
    byte < 0x20 || "\"\\?!;:()[]{}".utf8.contains(byte)
  }

  private static func isBoundary(_ bytes: ArraySlice<UInt8>, before index: Int) -> Bool {
    index == bytes.startIndex ? false : !isWord(bytes[index - 1])
  }

  /// Where what was said goes on after these bytes, at the beginning of a word.
  private static func find(_ bytes: ArraySlice<UInt8>, in said: [UInt8]) -> Int? {
    guard let first = bytes.first, said.count >= bytes.count else { return nil }
    for start in 0...(said.count - bytes.count) where said[start] == first {
      if start > 0 && isWord(said[start - 1]) { continue }
      if said[start..<start + bytes.count].elementsEqual(bytes) { return start + bytes.count }
    }
    return nil
  }
}
