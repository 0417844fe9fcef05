import MartletJSON

/// Reads a list or a map in brackets: `[a, "b, c"]`, `{key: value}`.
struct FlowReader {
  enum Outcome {
    case value(JSONValue)
    /// The brackets are not closed.
    case incomplete
    case malformed
  }

  private enum Fault: Error {
    case incomplete, malformed
  }

  private static let depth = 16
  private let text: Substring
  private var position: Substring.Index

  init(_ text: Substring) {
    self.text = text
    position = text.startIndex
  }

  /// The value of the whole text; a comment may follow.
  mutating func read() -> Outcome {
    do {
      let value = try node(level: 0)
      skipSpace()
      return position == text.endIndex || text[position] == "#" ? .value(value) : .malformed
    } catch .incomplete {
      return .incomplete
    } catch {
      return .malformed
    }
  }

  private mutating func skipSpace() {
    while position < text.endIndex, text[position].isWhitespace { text.formIndex(after: &position) }
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard position < text.endIndex, text[position] == character else { return false }
    text.formIndex(after: &position)
    return true
  }

  private mutating func node(level: Int) throws(Fault) -> JSONValue {
    guard level < Self.depth else { throw .malformed }
    if take("[") {
      var items: [JSONValue] = []
      while true {
        if take("]") { return .array(items) }
        items.append(try node(level: level + 1))
        if take(",") { continue }
        guard take("]") else { throw position == text.endIndex ? .incomplete : .malformed }
        return .array(items)
      }
    }
    if take("{") {
      var fields: JSONObject = [:]
      while true {
        if take("}") { return .object(fields) }
        let key = try scalar(endingAt: ":,}")
        let value = take(":") ? try node(level: level + 1) : ""
        if fields[key] == nil { fields[key] = value }
        if take(",") { continue }
        guard take("}") else { throw position == text.endIndex ? .incomplete : .malformed }
        return .object(fields)
      }
    }
    return .string(try scalar(endingAt: ",]}"))
  }

  private mutating func scalar(endingAt marks: String) throws(Fault) -> String {
    skipSpace()
    guard position < text.endIndex else { throw .incomplete }
    if text[position] == "\"" || text[position] == "'" {
      guard let (value, end) = QuotedText.read(text[position...]) else { throw .incomplete }
      position = end
      return value
    }
    let start = position
    while position < text.endIndex, !marks.contains(text[position]) { text.formIndex(after: &position) }
    guard position < text.endIndex else { throw .incomplete }
    return text[start..<position].trimmingBlanks()
  }
}
