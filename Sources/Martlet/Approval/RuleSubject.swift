import MartletJSON

/// A value in the arguments of a call that a pattern is compared with.
enum RuleSubject: Sendable {
  case text(String)
  /// A command line for a shell.
  case line(String)
  /// A program and its arguments, which no shell reads.
  case words([String])

  /// The texts in a value.
  /// - Parameters:
  ///   - name: the name it goes by.
  ///   - isWanted: whether the value itself was asked for; then numbers and the like count as texts as well.
  static func all(in value: JSONValue, named name: String, isWanted: Bool) -> [Self] {
    let isCommand = CommandArgument.names.contains(name)
    switch value {
    case .string(let text): return [isCommand ? .line(text) : .text(text)]
    case .array(let values):
      if isCommand, !values.isEmpty, values.allSatisfy({ $0.stringValue != nil }) {
        return [.words(values.compactMap(\.stringValue))]
      }
      return values.flatMap { all(in: $0, named: name, isWanted: isWanted) }
    case .object(let object): return object.flatMap { all(in: $0.value, named: $0.key, isWanted: isWanted) }
    case .null, .bool, .number: return isWanted ? [.text(value.text())] : []
    }
  }

  func surelyFits(_ pattern: RulePattern) -> Bool {
    switch self {
    case .line(let line):
      // The very line that the rule spells out, whatever it does.
      if !pattern.hasWildcard, pattern.matches(line.utf8) { return true }
      guard let command = PlainCommand(line) else { return false }
      return CommandPattern(pattern).matches(command.words)
    case .words(let words): return CommandPattern(pattern).matches(words.map { Array($0.utf8) })
    case .text(let text):
      guard pattern.matches(text.utf8) else { return false }
      // A star does not lead out of a directory or into another line.
      return !pattern.hasWildcard
        || !text.utf8.contains(where: { $0 < 0x20 })
          && !text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
            .contains { $0.elementsEqual("..".utf8) }
    }
  }

  func mayFit(_ pattern: RulePattern) -> Bool {
    switch self {
    case .line(let line):
      return pattern.matches(line.utf8, ignoringCase: true)
        || CommandPattern(pattern).mayMatch(PossibleCommands(line))
    case .words(let words):
      return pattern.matches(words.joined(separator: " ").utf8, ignoringCase: true)
        || CommandPattern(pattern).mayMatch(PossibleCommands(words: words))
    case .text(let text):
      return pattern.matches(text.utf8, ignoringCase: true)
        || Self.paths(text).contains { pattern.matches($0, ignoringCase: true) }
    }
  }

  /// How deep a path may be to be tried from each of its directories.
  private static let deepest = 256

  /// The text as a path without detours, from its start and from each directory in it on: `a/./x/../b` is `a/b` and `b`.
  private static func paths(_ text: String) -> [ArraySlice<UInt8>] {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return [] }
    var path = text.utf8.first == UInt8(ascii: "/") ? [UInt8(ascii: "/")] : []
    var starts: [Int] = []
    for part in text.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8), let last = starts.popLast() {
        path.removeSubrange(max(0, last - (starts.isEmpty ? 0 : 1))...)
        continue
      }
      if !starts.isEmpty { path.append(UInt8(ascii: "/")) }
      starts.append(path.count)
      path += part
    }
    return [path[...]] + starts.suffix(deepest).map { path[$0...] }
  }
}
