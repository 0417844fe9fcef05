/// Text as searches see it: a list of words, the same for every store.
package enum SearchText {
  /// What can be found of an event: what was said, what came of a call, a title.
  package static func text(of event: AgentEvent) -> String? {
    switch event {
    case .sessionCreated(let created): created.title
    case .sessionUpdated(let updated): updated.title
    case .prompt(let prompt): joined(prompt.message.content.filter { ContextNote($0) == nil })
    case .assistantMessage(let reply): joined(reply.message.content)
    case .toolFinished(let finished): joined(finished.result.content)
    case .compacted(let compacted): joined(compacted.summary)
    case .historyReplaced(let replaced): joined(replaced.messages.flatMap(\.content))
    default: nil
    }
  }

  private static func joined(_ content: [ContentBlock]) -> String? {
    let texts = content.compactMap(\.text)
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  /// The words of a text in lower case. Letters, digits and marks make words; in scripts that are written without spaces
  /// each character is a word, so that any part of a text is found.
  package static func words(of text: String) -> [Substring] {
    let lower = text.lowercased()
    var words: [Substring] = []
    var start: String.Index?
    let scalars = lower.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let kind = Kind(scalars[index])
      if kind == .letter {
        if start == nil { start = index }
      } else {
        if let begin = start { words.append(lower[begin..<index]) }
        start = nil
        if kind == .alone { words.append(lower[index..<scalars.index(after: index)]) }
      }
      scalars.formIndex(after: &index)
    }
    if let start { words.append(lower[start...]) }
    return words
  }

  /// The words as an index finds them that separates ASCII text by itself, at all but letters and digits, without regard
  /// to case (the `ascii` tokenizer of SQLite's FTS5): of other texts the words with spaces between them.
  package static func indexed(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : words(of: text).joined(separator: " ")
  }

  private enum Kind {
    case letter, alone, other

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: self = .letter
      case 0..<0x80: self = .other
      // Thai, Lao, Burmese, Khmer, kana, Chinese characters.
      case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF,
        0x20000...0x3FFFF:
        self = .alone
      default:
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
          .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
          self = .letter
        default: self = .other
        }
      }
    }
  }

  /// A part of about `length` characters around the first of the words, on one line.
  package static func excerpt(of text: String, around query: Query, length: Int = 160) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    guard line.count > length else { return line }
    let found = query.phrases.first?.first.flatMap { word in position(of: word, in: line) } ?? line.startIndex
    let before = line.distance(from: line.startIndex, to: found)
    let start = line.index(line.startIndex, offsetBy: max(0, min(before - length / 4, line.count - length)))
    let end = line.index(start, offsetBy: length, limitedBy: line.endIndex) ?? line.endIndex
    return (start > line.startIndex ? "…" : "") + line[start..<end] + (end < line.endIndex ? "…" : "")
  }

  /// Where a word in lower case stands, case aside.
  private static func position(of word: String, in line: String) -> String.Index? {
    let wanted = Array(word)
    var index = line.startIndex
    while index < line.endIndex {
      var (here, matched) = (index, 0)
      while here < line.endIndex, matched < wanted.count, line[here].lowercased() == String(wanted[matched]) {
        matched += 1
        line.formIndex(after: &here)
      }
      if matched == wanted.count { return index }
      line.formIndex(after: &index)
    }
    return nil
  }

  /// What is searched for.
  package struct Query: Sendable, Hashable {
    /// Words that follow one another; the last of each may be the beginning of a longer one.
    package let phrases: [[String]]

    package init(_ text: String) {
      phrases = text.split(whereSeparator: \.isWhitespace).map { SearchText.words(of: String($0)).map(String.init) }
        .filter { !$0.isEmpty }
    }

    /// Whether a text has all phrases.
    package func matches(_ text: String) -> Bool {
      let words = SearchText.words(of: text)
      return !phrases.isEmpty && phrases.allSatisfy { Self.contains($0, in: words) }
    }

    private static func contains(_ phrase: [String], in words: [Substring]) -> Bool {
      guard words.count >= phrase.count else { return false }
      return (0...words.count - phrase.count).contains { start in
        for (offset, word) in phrase.enumerated() {
          let candidate = words[start + offset]
          let isLast = offset == phrase.count - 1
          guard isLast ? candidate.utf8.starts(with: word.utf8) : candidate == word else { return false }
        }
        return true
      }
    }
  }
}
