/// A Markdown fence that may hold calls: JSON in a fence without a language or of the language `json`, Gemma's
/// `tool_code` with Python.
struct CodeFence: CallSection {
  static let literal = "```"
  private static let fence = Array(literal.utf8)
  private static let languageLimit = 32

  struct Rules: Sendable {
    /// Whether Python in a `tool_code` fence is a call, and in a `python` fence when it calls an offered tool.
    var readsPython = false
    /// Whether JSON counts only when it names an offered tool.
    var offeredOnly = true
    var ignoredNames: Set<String> = []
  }

  private enum Phase { case language(start: Int), content(language: String), inner(any CallSection) }

  private let rules: Rules
  private var phase = Phase.language(start: -1)

  init(_ rules: Rules = Rules()) {
    self.rules = rules
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      switch phase {
      case .language(let start):
        if let status = language(start < 0 ? cursor.position : start, &cursor) { return status }
      case .content(let language):
        let start = cursor.position
        cursor.skipWhitespace()
        guard let byte = cursor.byte else {
          if !cursor.isFinal { cursor.position = start }
          return cursor.isFinal ? .reject : .more
        }
        guard let section = section(language, byte) else { return .reject }
        phase = .inner(section)
      case .inner(var section):
        let status = section.advance(&cursor, &events)
        phase = .inner(section)
        return status
      }
    }
  }

  private mutating func language(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .language(start: start)
    while let byte = cursor.byte {
      guard cursor.position - start < Self.languageLimit else { return .reject }
      if byte == ASCII.newline || byte == ASCII.openBrace || byte == ASCII.openBracket {
        phase = .content(language: cursor.trimmed(start..<cursor.position))
        return nil
      }
      guard byte.isNameByte || byte.isWhitespace else { return .reject }
      cursor.position += 1
    }
    return cursor.isFinal ? .reject : .more
  }

  private func section(_ language: String, _ byte: UInt8) -> (any CallSection)? {
    let isJSON = byte == ASCII.openBrace || byte == ASCII.openBracket
    switch language {
    case "", "json", "JSON", "jsonc", "json5", "tool_call", "tool_calls", "tool":
      return isJSON ? json : nil
    case "tool_code" where rules.readsPython:
      return byte == ASCII.openBrace ? json : PythonSection(.closers([Self.fence]), offeredOnly: false)
    case "tool_code":
      return isJSON ? json : PythonSection(.closers([Self.fence]), offeredOnly: true)
    case "python" where rules.readsPython, "py" where rules.readsPython:
      return PythonSection(.closers([Self.fence]), offeredOnly: true)
    default:
      return nil
    }
  }

  private var json: JSONCallSection {
    var json = JSONCallSection.Rules(closers: [Self.literal], offeredOnly: rules.offeredOnly)
    json.ignoredNames = rules.ignoredNames
    return JSONCallSection(json)
  }
}
