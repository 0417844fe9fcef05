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

  /// Comparisons of one byte after which a command line counts as one that fits: what takes longer to tell is not told.
  private static let mostSteps = 1 << 22

  /// Whether one of the commands may fit, given what is not known of them. Here `*` stands for any words as well.
  func mayMatch(_ possible: PossibleCommands) -> Bool {
    if possible.canBeAnything { return true }
    var patterns = [RulePattern(elements: Array(words.map(\.elements).joined(separator: [Self.space])))]
    if words.count > 1, words.last?.elements == [.any] {
      patterns.append(RulePattern(elements: Array(patterns[0].elements.dropLast(2))))
    }
    var stepsLeft = Self.mostSteps
    for command in possible.commands {
      for start in possible.runsArguments ? command.indices : 0..<1 {
        for first in Self.programs(command[start], isArgument: start > 0) {
          let text = Self.text([first] + command[(start + 1)...])
          stepsLeft -= text.count
          for pattern in patterns {
            stepsLeft -= pattern.steps(toMeet: text)
            if stepsLeft < 0 || pattern.meets(text) { return true }
          }
        }
      }
    }
    return false
  }

  /// What a word may name as a program: itself, without its directory and, of an argument, without an option before it.
  private static func programs(_ word: PossibleCommands.Word, isArgument: Bool) -> [PossibleCommands.Word] {
    var words = [word]
    if isArgument, word.head.first == UInt8(ascii: "-") {
      if let index = word.head.firstIndex(of: UInt8(ascii: "=")) {
        words.append(word.dropping(index + 1))
      } else if word.head.count > 2 {
        words.append(word.dropping(2))
      }
    }
    return words.flatMap { word in word.program == word ? [word] : [word, word.program] }
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
