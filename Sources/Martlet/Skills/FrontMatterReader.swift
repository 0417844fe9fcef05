import MartletJSON

/// Reads the lines of a head: a subset of YAML 1.2, leniently. Takes time in proportion to the head.
struct FrontMatterReader {
  private struct Line {
    /// Spaces before the text; a tab counts as one.
    var indent: Int
    /// Without spaces at its ends.
    var text: Substring

    var isBlank: Bool { text.isEmpty }
    var isSkipped: Bool { text.isEmpty || text.first == "#" }
    var isItem: Bool { text == "-" || text.hasPrefix("- ") }
  }

  /// Lines that one quoted text or one bracket may go over.
  private static let reach = 200
  private static let depth = 16

  private let lines: [Line]
  private let firstLine: Int
  private let path: String
  private var next = 0
  private(set) var problems: [SkillProblem] = []

  init(_ lines: [String], firstLine: Int, path: String) {
    self.lines = lines.map { line in
      let text = Self.trimmed(line[...])
      let indent = text.isEmpty ? 0 : line.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count
      return Line(indent: indent, text: text)
    }
    self.firstLine = firstLine
    self.path = path
  }

  mutating func read() -> (fields: JSONObject, places: [String: Int]) {
    map(indent: lines.first { !$0.isSkipped }?.indent ?? 0, level: 0)
  }

  private mutating func complain(_ severity: SkillProblem.Severity, at index: Int, _ message: String) {
    problems.append(SkillProblem(severity, path: path, line: firstLine + index, message))
  }

  // MARK: - Maps and lists

  /// The entries of lines with this indentation, up to one with less.
  private mutating func map(indent: Int, level: Int) -> (fields: JSONObject, places: [String: Int]) {
    var fields: JSONObject = [:]
    var places: [String: Int] = [:]
    while next < lines.count {
      let line = lines[next]
      if line.isSkipped {
        next += 1
        continue
      }
      if line.indent < indent, level > 0 { break }
      let start = next
      guard line.indent == indent || level == 0, let (key, rest) = entry(line.text) else {
        complain(.rule, at: next, "this line is no \"key: value\" and is ignored")
        next += 1
        continue
      }
      if line.indent != indent { complain(.rule, at: next, "this line is indented otherwise than the ones before") }
      next += 1
      let value = value(rest, of: line, at: start, level: level)
      if fields[key] == nil {
        fields[key] = value
        places[key] = firstLine + start
      } else {
        complain(.rule, at: start, "\(key) is there twice: the first one counts")
      }
    }
    return (fields, places)
  }

  /// A key and what follows its colon.
  private mutating func entry(_ text: Substring) -> (key: String, rest: Substring)? {
    if text.first == "\"" || text.first == "'" {
      guard let (key, end) = QuotedText.read(text), let colon = text[end...].first, colon == ":" else { return nil }
      return (key, Self.trimmed(text[text.index(after: end)...]))
    }
    var colon = text.startIndex
    while let found = text[colon...].firstIndex(of: ":") {
      let after = text.index(after: found)
      if after == text.endIndex || text[after] == " " || text[after] == "\t" {
        let key = Self.trimmed(text[..<found])
        return key.isEmpty ? nil : (String(key), Self.trimmed(text[after...]))
      }
      colon = after
    }
    // A colon without a space after it makes no entry in YAML; it is what was meant after a word.
    guard let found = text.firstIndex(of: ":"), found > text.startIndex,
      text[..<found].utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x2D || $0 == 0x5F }),
      !text[found...].hasPrefix("://")
    else { return nil }
    complain(.rule, at: next, "put a space after the colon")
    return (String(text[..<found]), text[text.index(after: found)...])
  }

  /// The value after a key, on its line and the lines that belong to it.
  private mutating func value(_ rest: Substring, of line: Line, at start: Int, level: Int, isItem: Bool = false)
    -> JSONValue
  {
    guard let first = rest.first, first != "#" else { return below(line, level: level, isItem: isItem) }
    switch first {
    case "|", ">": if let block = block(rest, parent: line.indent) { return .string(block) }
    case "\"", "'": return .string(quoted(rest, parent: line.indent, at: start))
    case "[", "{": if let value = flow(rest, parent: line.indent) { return value }
    case "&", "*", "!", "%", "@", "`":
      complain(.advice, at: start, "a value that begins with \(first) belongs into quotes")
    default: break
    }
    return .string(plain(rest, parent: line.indent, at: start))
  }

  /// The value that stands in the lines below its key or its list item: a list, a map, or a text.
  private mutating func below(_ line: Line, level: Int, isItem: Bool) -> JSONValue {
    var index = next
    while index < lines.count, lines[index].isSkipped { index += 1 }
    guard index < lines.count else { return "" }
    let child = lines[index]
    // The items of a key's list may stand below the key itself; what stands below an item is the item after it.
    if child.isItem, level < Self.depth, isItem ? child.indent > line.indent : child.indent >= line.indent {
      next = index
      return .array(list(indent: child.indent, level: level + 1))
    }
    guard child.indent > line.indent else { return "" }
    next = index
    let saved = (next, problems.count)
    if level < Self.depth, entry(child.text) != nil {
      problems.removeLast(problems.count - saved.1)
      return .object(map(indent: child.indent, level: level + 1).fields)
    }
    next += 1
    return value(child.text, of: Line(indent: line.indent, text: child.text), at: index, level: level)
  }

  private mutating func list(indent: Int, level: Int) -> [JSONValue] {
    var items: [JSONValue] = []
    while next < lines.count {
      let line = lines[next]
      if line.isSkipped {
        next += 1
        continue
      }
      guard line.indent == indent, line.isItem else { break }
      let start = next
      next += 1
      let rest = Self.trimmed(line.text.dropFirst())
      items.append(value(rest, of: line, at: start, level: level, isItem: true))
    }
    return items
  }

  // MARK: - Texts

  /// A text without quotes: the rest of the line and the lines below that are indented more than its key.
  private mutating func plain(_ rest: Substring, parent: Int, at start: Int) -> String {
    var text = String(uncommented(rest, at: start))
    var breaks = 0
    while next < lines.count {
      let line = lines[next]
      if line.isBlank {
        guard let text = lines[next...].firstIndex(where: { !$0.isBlank }), lines[text].indent > parent else { break }
        breaks += text - next
        next = text
        continue
      } else {
        guard line.indent > parent, line.text.first != "#" else { break }
        text += breaks == 0 ? " " : String(repeating: "\n", count: breaks)
        text += uncommented(line.text, at: next)
        breaks = 0
      }
      next += 1
    }
    return text
  }

  /// A number sign after a space begins a comment.
  private mutating func uncommented(_ text: Substring, at index: Int) -> Substring {
    var previous: Character = " "
    for position in text.indices {
      if text[position] == "#", previous == " " || previous == "\t" {
        let comment = text[text.index(after: position)...]
        if let first = comment.first, first != " ", first != "#" {
          complain(.advice, at: index, "#\(comment.prefix(20)) counts as a comment: put the value in quotes to keep it")
        }
        return Self.trimmed(text[..<position])
      }
      previous = text[position]
    }
    return text
  }

  /// A text in quotes, which may go over several lines.
  private mutating func quoted(_ rest: Substring, parent: Int, at start: Int) -> String {
    var text = rest
    var index = next
    while true {
      if let (value, end) = QuotedText.read(text) {
        let after = Self.trimmed(text[end...])
        guard after.isEmpty || after.first == "#" else { break }
        next = index
        return value
      }
      guard index < lines.count, index - start < Self.reach, lines[index].isBlank || lines[index].indent > parent else {
        break
      }
      text += "\n" + lines[index].text
      index += 1
    }
    complain(.rule, at: start, "the quotes do not enclose the value: put the whole of it in quotes")
    let inner = plain(rest, parent: parent, at: start)
    // Quotes around a part of the value belong to it; one that is never closed does not.
    return QuotedText.read(rest) == nil ? String(inner.dropFirst()) : inner
  }

  /// A block of lines: `|` keeps their breaks, `>` joins them. Nil when the mark is not one.
  private mutating func block(_ rest: Substring, parent: Int) -> String? {
    let mark = rest.prefix { $0 != " " && $0 != "\t" && $0 != "#" }
    let after = Self.trimmed(rest[mark.endIndex...])
    var ending: Character?
    var explicit: Int?
    for character in mark.dropFirst() {
      if character == "+" || character == "-", ending == nil {
        ending = character
      } else if let digit = character.wholeNumberValue, (1...9).contains(digit), character.isASCII, explicit == nil {
        explicit = digit
      } else {
        return nil
      }
    }
    guard after.isEmpty || after.first == "#" else { return nil }
    let start = next
    while next < lines.count, lines[next].isBlank || lines[next].indent > parent { next += 1 }
    let content = lines[start..<next]
    let indent = explicit.map { parent + $0 } ?? content.first { !$0.isBlank }?.indent ?? 0
    let texts = content.map { line in
      line.isBlank ? "" : String(repeating: " ", count: max(0, line.indent - indent)) + line.text
    }
    let count = (texts.lastIndex { !$0.isEmpty } ?? -1) + 1
    let text = mark.first == "|" ? texts[..<count].joined(separator: "\n") : Self.folded(texts[..<count])
    switch ending {
    case "-": return text
    case "+": return text + String(repeating: "\n", count: texts.count - count + (count > 0 ? 1 : 0))
    default: return count > 0 ? text + "\n" : ""
    }
  }

  /// Lines joined with spaces; an empty line makes a break, and lines that are indented keep theirs.
  private static func folded(_ lines: ArraySlice<String>) -> String {
    var text = ""
    var previous: String?
    var breaks = 0
    for line in lines {
      if line.isEmpty {
        breaks += 1
        continue
      }
      if let before = previous {
        if before.first == " " || line.first == " " {
          text += String(repeating: "\n", count: breaks + 1)
        } else {
          text += breaks == 0 ? " " : String(repeating: "\n", count: breaks)
        }
      } else {
        text += String(repeating: "\n", count: breaks)
      }
      text += line
      previous = line
      breaks = 0
    }
    return text
  }

  /// A list or a map in brackets, which may go over several lines. Nil when the brackets are not closed.
  private mutating func flow(_ rest: Substring, parent: Int) -> JSONValue? {
    var text = rest
    var index = next
    while true {
      var reader = FlowReader(text)
      switch reader.read() {
      case .value(let value):
        next = index
        return value
      case .malformed: return nil
      case .incomplete:
        guard index < lines.count, index - next < Self.reach, lines[index].isBlank || lines[index].indent > parent
        else {
          return nil
        }
        text += " " + lines[index].text
        index += 1
      }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
