/// A command line that is one command with words that stand there as they are: nothing in it is expanded, substituted,
/// joined to another command or sent to a file. Whatever is not wholly understood is none.
///
/// Read as POSIX shells read it (Shell Command Language, 2.2 and 2.3), and with what bash adds ruled out.
struct PlainCommand: Sendable, Hashable {
  /// The words without their quotes; at least one.
  let words: [[UInt8]]

  init?(_ line: String) {
    var reader = Reader(Array(line.utf8))
    guard let words = reader.read(), let program = words.first, !program.isEmpty,
      !ShellWords.reserved.contains(program), !ShellWords.isAssignment(program)
    else { return nil }
    self.words = words
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var words: [[UInt8]] = []
    private var word: [UInt8] = []
    /// Whether a word has begun, be it an empty one in quotes.
    private var isInWord = false
    private var isQuoted = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() -> [[UInt8]]? {
      var end = bytes.count
      while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || bytes[end - 1] == 0x0A { end -= 1 }
      while index < end {
        let byte = bytes[index]
        index += 1
        switch byte {
        case 0x20, 0x09: endWord()
        case UInt8(ascii: "'"): guard readSingleQuoted(end) else { return nil }
        case UInt8(ascii: "\""): guard readDoubleQuoted(end) else { return nil }
        case UInt8(ascii: "\\"):
          guard index < end, (0x20...0x7E).contains(bytes[index]) else { return nil }
          append(bytes[index])
          isQuoted = true
          index += 1
        case UInt8(ascii: ">"): guard readRedirection(end) else { return nil }
        case UInt8(ascii: "#"), UInt8(ascii: "!"), UInt8(ascii: "="):
          // At the start of a word: a comment, a negation, and in zsh the place of a program.
          guard isInWord else { return nil }
          append(byte)
        case UInt8(ascii: "~"):
          guard isInWord, word.last != UInt8(ascii: "="), word.last != UInt8(ascii: ":") else { return nil }
          append(byte)
        case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "<"), UInt8(ascii: "("),
          UInt8(ascii: ")"), UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "?"),
          UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
          return nil
        // Control characters, and what is a blank in some locales.
        case 0x21...0x7E: append(byte)
        default: return nil
        }
      }
      endWord()
      return words
    }

    private mutating func append(_ byte: UInt8) {
      word.append(byte)
      isInWord = true
    }

    private mutating func endWord() {
      if isInWord { words.append(word) }
      word = []
      (isInWord, isQuoted) = (false, false)
    }

    private mutating func readSingleQuoted(_ end: Int) -> Bool {
      (isInWord, isQuoted) = (true, true)
      while index < end {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "'") { return true }
        guard byte >= 0x20, byte != 0x7F else { return false }
        word.append(byte)
      }
      return false
    }

    private mutating func readDoubleQuoted(_ end: Int) -> Bool {
      (isInWord, isQuoted) = (true, true)
      while index < end {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return true
        case UInt8(ascii: "$"), UInt8(ascii: "`"): return false
        case UInt8(ascii: "\\"):
          guard index < end else { return false }
          let next = bytes[index]
          if [UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(next) {
            word.append(next)
            index += 1
          } else {
            word.append(byte)
          }
        default:
          guard byte >= 0x20, byte != 0x7F else { return false }
          word.append(byte)
        }
      }
      return false
    }

    /// One that changes nothing: standard output or error to `/dev/null` or to each other.
    private mutating func readRedirection(_ end: Int) -> Bool {
      if isInWord {
        guard !isQuoted, word == [UInt8(ascii: "1")] || word == [UInt8(ascii: "2")] else { return false }
        word = []
        isInWord = false
      }
      for target in [">/dev/null", "> /dev/null", "/dev/null", " /dev/null", "&1", "&2"] {
        let target = Array(target.utf8)
        guard bytes[index..<end].starts(with: target) else { continue }
        index += target.count
        return index == end || bytes[index] == 0x20 || bytes[index] == 0x09
      }
      return false
    }
  }
}
