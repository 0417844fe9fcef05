/// A pattern for command lines: words, each with `*` for any part of it. A pattern that ends with `*` leaves open what
/// words follow.
struct CommandPattern: Sendable {
  private let words: [RulePattern]
  private let isOpen: Bool

  init(_ pattern: RulePattern) {
    words = pattern.elements.split(separator: .byte(UInt8(ascii: " "))).map { RulePattern(elements: Array($0)) }
    isOpen = pattern.elements.last == .any
  }

  /// Whether the words of a command fit.
  func matches(_ command: [[UInt8]]) -> Bool {
    // A last word of `*` stands for any words, also none.
    let isRest = words.last?.elements == [.any]
    let needed = isRest ? words.dropLast() : words[...]
    guard !words.isEmpty, command.count >= needed.count, isOpen || command.count == needed.count else { return false }
    return zip(needed, command).allSatisfy { $0.matches($1) }
  }

  /// Words of one command and offsets in it that are tried.
  private static let mostWords = 2_000

  /// Whether one of the commands may fit, given what is not known of them. Here `*` stands for any words as well.
  func mayMatch(_ possible: PossibleCommands) -> Bool {
    if possible.canBeAnything { return true }
    var patterns = [RulePattern(elements: Array(words.map(\.elements).joined(separator: [Self.space])))]
    if words.count > 1, words.last?.elements == [.any] {
      patterns.append(RulePattern(elements: Array(patterns[0].elements.dropLast(2))))
    }
    return possible.commands.contains { command in
      if possible.runsArguments, command.count > Self.mostWords { return true }
      return (possible.runsArguments ? command.indices : 0..<1).contains { start in
        let program = command[start].program
        return [command[start], program].contains { first in
          let text = Self.text([first] + command[(start + 1)...])
          return patterns.contains { $0.meets(text) }
        }
      }
    }
  }

  private static let space = RulePattern.Element.byte(UInt8(ascii: " "))

  /// The words with blanks between them, and `any` for what is not known, which may be some words or none.
  private static func text(_ words: [PossibleCommands.Word]) -> [RulePattern.Element] {
    var text: [RulePattern.Element] = []
    for word in words {
      let isWhollyUnknown = !word.isKnown && word.head.isEmpty && word.tail.isEmpty
      if !text.isEmpty, !isWhollyUnknown { text.append(space) }
      text += word.head.map { .byte($0) }
      if !word.isKnown { text += [.any] + word.tail.map { .byte($0) } }
    }
    return text
  }
}
