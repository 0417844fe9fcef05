/// All commands that a command line might run, rather too many than too few: those joined by operators, in substitutions,
/// subshells and functions, behind assignments and keywords, and in texts that some program could take for a command line.
///
/// Total: there is no line that it does not read. What it cannot tell, it says it cannot.
struct PossibleCommands: Sendable {
  /// A word as far as it is known.
  struct Word: Sendable, Hashable {
    /// The whole of it or, of one with something in it that only the shell finds out, what comes before.
    var head: [UInt8] = []
    /// What comes after that.
    var tail: [UInt8] = []
    var isKnown = true

    /// The word without its first bytes.
    func dropping(_ count: Int) -> Self { Self(head: Array(head.dropFirst(count)), tail: tail, isKnown: isKnown) }

    /// The name of the program, if this is where a command begins.
    var program: Self {
      if isKnown { return Self(head: ShellWords.programName(head)) }
      if tail.contains(UInt8(ascii: "/")) { return Self(head: ShellWords.programName(tail)) }
      return Self(head: ShellWords.programName(head), tail: tail, isKnown: false)
    }
  }

  private(set) var commands: [[Word]] = []
  /// Whether something runs of which nothing is known.
  private(set) var canBeAnything = false
  /// Whether a command among them may run what is an argument of it or of another one.
  private(set) var runsArguments = false

  /// How deep texts are read in texts, and how many bytes and commands are read altogether, before the line counts as
  /// one that can be anything.
  private static let limits = (depth: 12, bytes: 1 << 20, commands: 20_000, starts: 16)

  init(_ line: String) {
    var left = Self.limits.bytes
    var texts: [(bytes: [UInt8], depth: Int)] = [(Array(line.utf8), 0)]
    while let (bytes, depth) = texts.popLast() {
      left -= bytes.count + 1
      guard left >= 0, depth <= Self.limits.depth, commands.count <= Self.limits.commands else {
        canBeAnything = true
        return
      }
      var reader = Reader(bytes)
      reader.read()
      for command in reader.commands { take(command) }
      texts += reader.nested.map { ($0, depth + 1) }
    }
  }

  /// The words of a program's argument list, which no shell has read.
  init(words: [String]) {
    take(words.map { Word(head: Array($0.utf8)) })
    for text in words.flatMap({ Reader.commandLines(in: Array($0.utf8)) }) {
      let inner = Self(String(decoding: text, as: UTF8.self))
      commands += inner.commands
      canBeAnything = canBeAnything || inner.canBeAnything
      runsArguments = runsArguments || inner.runsArguments
    }
  }

  private mutating func take(_ words: [Word]) {
    if words.contains(where: Self.renames) { canBeAnything = true }
    // Where a command may begin: at the first word, and behind others that a shell may read as the end of something.
    var starts = [words[...]]
    for index in words.indices where words[index].isKnown && words[index].head == Self.testEnd {
      starts.append(words[(index + 1)...])
    }
    while let start = starts.popLast() {
      guard starts.count <= Self.limits.starts else {
        canBeAnything = true
        return
      }
      takeCommand(behindKeywords: start)
    }
  }

  private static let testEnd = Array("]]".utf8)

  private mutating func takeCommand(behindKeywords words: ArraySlice<Word>) {
    var words = words
    var keyword: [UInt8]?
    var names = 0
    while let first = words.first {
      // An assignment of something that is not known is still an assignment.
      if ShellWords.isAssignment(first.head) {
        words = words.dropFirst()
      } else if first.isKnown, ShellWords.reserved.contains(first.head) {
        words = words.dropFirst()
        if first.head == Array("time".utf8) { words = words.drop { $0.isKnown && $0.head.first == UInt8(ascii: "-") } }
        if ShellWords.naming.contains(first.head) { keyword = first.head }
      } else if let naming = keyword {
        // It is the name, or the command itself.
        keyword = nil
        names += 1
        guard names <= Self.limits.starts else {
          canBeAnything = true
          return
        }
        let isLoop = naming == Array("for".utf8) || naming == Array("select".utf8)
        if !isLoop { takeCommand(words) }
        words = words.dropFirst()
        // What follows `in` is no command.
        if isLoop, words.first?.head == Array("in".utf8) { return }
      } else {
        break
      }
    }
    if !words.isEmpty { takeCommand(words) }
  }

  /// Takes words of which the first names the program.
  private mutating func takeCommand(_ words: ArraySlice<Word>) {
    guard let program = words.first?.program else { return }
    commands.append(Array(words))
    let runs = !program.isKnown || ShellWords.runners.contains(program.head)
    if renames(program, words.dropFirst(), runs: runs) { canBeAnything = true }
    if program.head == Array("git".utf8), let index = words.firstIndex(where: Self.isRunOfGit) {
      commands.append(Array(words[(index + 1)...]))
    }
    guard runs else { return }
    runsArguments = true
    for index in words.indices {
      let program = words[index].program
      if program.isKnown, ShellWords.shells.contains(program.head), readsInput(words[(index + 1)...]) {
        canBeAnything = true
      }
    }
  }

  /// `git bisect run …`, `git submodule foreach …`.
  private static func isRunOfGit(_ word: Word) -> Bool {
    word.isKnown && (word.head == Array("run".utf8) || word.head == Array("foreach".utf8))
  }

  /// Whether it sets one of the shell's own tables of names, as `BASH_ALIASES[a]=…` does.
  private static func renames(_ word: Word) -> Bool {
    let name = word.head.prefix(while: ShellWords.isOfName)
    return ShellWords.renamed.contains(Array(name)) && (!word.isKnown || word.head.count > name.count)
  }

  /// Whether some name may stand for another command afterwards.
  private func renames(_ program: Word, _ arguments: ArraySlice<Word>, runs: Bool) -> Bool {
    let programs = runs ? [program] + arguments : [program]
    let isOption = { (word: Word) in
      !word.isKnown || word.head.first == UInt8(ascii: "-") && word.head.contains(UInt8(ascii: "p"))
    }
    return programs.contains { ShellWords.renamers.contains($0.head) && !arguments.isEmpty }
      || programs.contains { $0.head == Array("hash".utf8) } && arguments.contains(where: isOption)
      || arguments.contains { word in
        // An alias of git that a shell runs.
        zip(word.head, word.head.dropFirst()).contains { $0 == UInt8(ascii: "=") && $1 == UInt8(ascii: "!") }
      }
  }

  /// Whether a shell with these arguments runs what it reads.
  private func readsInput(_ arguments: ArraySlice<Word>) -> Bool {
    let isInput = arguments.contains { $0.head == Array("-s".utf8) || $0.head.starts(with: "/dev/".utf8) }
    return isInput || arguments.allSatisfy { $0.isKnown && ($0.head.isEmpty || "-+".utf8.contains($0.head[0])) }
  }

  /// Splits one text into commands and words.
  private struct Reader {
    private(set) var commands: [[Word]] = []
    /// Texts in it that are, or could be taken for, command lines themselves.
    private(set) var nested: [[UInt8]] = []
    private let bytes: [UInt8]
    private var index = 0
    private var words: [Word] = []
    private var word = Word()
    private var isInWord = false
    /// Whether the next word names a file.
    private var isAfterRedirection = false
    /// How many brace expansions are open.
    private var braces = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() {
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        switch byte {
        case 0x0A, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"):
          endCommand()
        case 0...0x20, 0x7F: endWord()
        case UInt8(ascii: "<"), UInt8(ascii: ">"): readRedirection()
        case UInt8(ascii: "'"): readSingleQuoted()
        case UInt8(ascii: "\""): readDoubleQuoted()
        case UInt8(ascii: "\\"): readEscape()
        case UInt8(ascii: "$"): readExpansion(isQuoted: false)
        case UInt8(ascii: "`"): readBackquoted()
        case UInt8(ascii: "[") where isTest: append(byte)
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["): expand()
        case UInt8(ascii: "~") where !isInWord: expand()
        case UInt8(ascii: "#") where !isInWord: readComment()
        // Of `{a,b}` the first comes first.
        case UInt8(ascii: "{") where isBraceExpansion: (isInWord, braces) = (true, braces + 1)
        case UInt8(ascii: ",") where braces > 0, UInt8(ascii: ".") where braces > 0: expand()
        case UInt8(ascii: "}") where braces > 0:
          braces -= 1
          expand()
        case UInt8(ascii: "]") where !word.isKnown: expand()
        default: append(byte)
        }
      }
      endCommand()
    }

    private mutating func append(_ byte: UInt8) {
      isInWord = true
      if word.isKnown { word.head.append(byte) } else { word.tail.append(byte) }
    }

    /// Something comes here that only the shell finds out.
    private mutating func expand() {
      isInWord = true
      word.isKnown = false
      word.tail = []
    }

    private mutating func endWord() {
      guard isInWord else { return }
      for text in [word.head, word.tail] { nested += Self.commandLines(in: text) }
      if isAfterRedirection { isAfterRedirection = false } else { words.append(word) }
      word = Word()
      (isInWord, braces) = (false, 0)
    }

    /// Whether the bracket just read is, or is part of, the word `[` or `[[`, which is no pattern.
    private var isTest: Bool {
      guard !isInWord || word.isKnown && word.head == [UInt8(ascii: "[")] else { return false }
      let rest = bytes[index...]
      let next = rest.first == UInt8(ascii: "[") && !isInWord ? rest.dropFirst().first : rest.first
      return next.map { $0 <= 0x20 } ?? true
    }

    private mutating func endCommand() {
      endWord()
      isAfterRedirection = false
      if !words.isEmpty { commands.append(words) }
      words = []
    }

    /// Whether some program could take the text of a word for a command line of its own. Of quoted and escaped text only,
    /// so what it is true for is shorter than what it was part of.
    static func mayHoldCommand(_ text: [UInt8]) -> Bool {
      text.contains { $0 <= 0x20 || ";&|()<>$`'\"\\".utf8.contains($0) }
    }

    /// The texts in a word that some program could take for command lines: the word, and what follows an equals sign, an
    /// exclamation mark or a short option in it.
    static func commandLines(in text: [UInt8]) -> [[UInt8]] {
      guard mayHoldCommand(text) else { return [] }
      var lines = [text]
      for mark in "=!".utf8 {
        if let index = text.firstIndex(of: mark) { lines.append(Array(text[(index + 1)...])) }
      }
      if text.first == UInt8(ascii: "-") {
        // Several letters may stand before the one that takes the text.
        let letters = text.dropFirst().prefix { ShellWords.isOfName($0) }
        for count in 0..<min(letters.count, 6) { lines.append(Array(text[(count + 2)...])) }
      }
      return lines
    }

    /// Quotes do not count in a comment. Where it is none, as in `${X:- #$(y)}`, its text still does.
    private mutating func readComment() {
      let text = bytes[index...].prefix { $0 != 0x0A }
      index += text.count
      nested.append(Array(text))
    }

    private mutating func readRedirection() {
      // A number before it is no word.
      if word.isKnown, !word.head.isEmpty, word.head.allSatisfy({ (0x30...0x39).contains($0) }) {
        word = Word()
        isInWord = false
      }
      endWord()
      while index < bytes.count, "<>&|-".utf8.contains(bytes[index]) { index += 1 }
      isAfterRedirection = true
    }

    private mutating func readSingleQuoted() {
      isInWord = true
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "'") { return }
        append(byte)
      }
    }

    private mutating func readDoubleQuoted() {
      isInWord = true
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return
        case UInt8(ascii: "\\"):
          guard index < bytes.count else { return append(byte) }
          let next = bytes[index]
          if next == 0x0A {
            index += 1
          } else if "$`\"\\".utf8.contains(next) {
            append(next)
            index += 1
          } else {
            append(byte)
          }
        case UInt8(ascii: "$"): readExpansion(isQuoted: true)
        case UInt8(ascii: "`"): readBackquoted()
        default: append(byte)
        }
      }
    }

    private mutating func readEscape() {
      guard index < bytes.count else { return append(UInt8(ascii: "\\")) }
      // A line that goes on in the next one.
      if bytes[index] != 0x0A { append(bytes[index]) }
      index += 1
    }

    private mutating func readBackquoted() {
      var text: [UInt8] = []
      while index < bytes.count, bytes[index] != UInt8(ascii: "`") {
        if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
        text.append(bytes[index])
        index += 1
      }
      index += 1
      nested.append(text)
      expand()
    }

    /// Whether the brace just read begins words that differ (`{a,b}`, `{1..3}`).
    private var isBraceExpansion: Bool {
      let rest = bytes[index...].prefix { $0 > 0x20 }
      return rest.contains(UInt8(ascii: ",")) || zip(rest, rest.dropFirst()).contains { $0 == 0x2E && $1 == 0x2E }
    }

    /// After a dollar sign.
    private mutating func readExpansion(isQuoted: Bool) {
      guard index < bytes.count else { return append(UInt8(ascii: "$")) }
      switch bytes[index] {
      case UInt8(ascii: "("):
        index += 1
        let start = index
        let text = balanced(UInt8(ascii: "("), UInt8(ascii: ")"))
        nested.append(text)
        // The parenthesis may be one of a pattern in `case`, which ends nothing.
        if Self.mayHoldCase(text) { nested.append(Array(bytes[start...])) }
        expand()
      case UInt8(ascii: "{"):
        index += 1
        nested.append(balanced(UInt8(ascii: "{"), UInt8(ascii: "}")))
        expand()
      case UInt8(ascii: "'") where !isQuoted:
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "'") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        expand()
      case UInt8(ascii: "\"") where !isQuoted: break
      case let byte where ShellWords.isOfName(byte):
        while index < bytes.count, ShellWords.isOfName(bytes[index]) { index += 1 }
        expand()
      case UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "#"),
        UInt8(ascii: "?"), UInt8(ascii: "-"), UInt8(ascii: "$"), UInt8(ascii: "!"):
        index += 1
        expand()
      default: append(UInt8(ascii: "$"))
      }
    }

    /// Whether `case` is in a text, be it over two lines.
    private static func mayHoldCase(_ text: [UInt8]) -> Bool {
      let word = Array("case".utf8)
      return zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "\\") && $1 == 0x0A }
        || text.indices.dropLast(word.count - 1).contains { text[$0...].starts(with: word) }
    }

    /// The text up to the parenthesis or brace that closes, quotes passed over; all of the rest where none does.
    private mutating func balanced(_ opening: UInt8, _ closing: UInt8) -> [UInt8] {
      let start = index
      var depth = 1
      var quote: UInt8?
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
          index += 1
        } else if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
          quote = byte
        } else if byte == opening {
          depth += 1
        } else if byte == closing {
          depth -= 1
          if depth == 0 { return Array(bytes[start..<(index - 1)]) }
        }
      }
      index = min(index, bytes.count)
      return Array(bytes[start..<index])
    }
  }
}
