/// Wording of violations.
enum ViolationText {
  /// The most characters of a value that are quoted.
  private static let quoteLength = 60
  /// The most alternatives that are listed.
  private static let listLength = 20

  /// A value as short JSON text; what is cut off costs nothing.
  static func quote(_ value: JSONValue) -> String {
    var text = ""
    write(value, into: &text)
    return shortened(text)
  }

  private static func write(_ value: JSONValue, into text: inout String) {
    guard text.utf8.count <= quoteLength * 4 else { return }
    switch value {
    case .array(let items):
      text += "["
      for (index, item) in items.prefix(quoteLength).enumerated() {
        if index > 0 { text += "," }
        write(item, into: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (index, entry) in object.entries.prefix(quoteLength).enumerated() {
        if index > 0 { text += "," }
        write(.string(entry.key), into: &text)
        text += ":"
        write(entry.value, into: &text)
      }
      text += "}"
    case .string(let string):
      text += JSONValue.string(String(String.UnicodeScalarView(string.unicodeScalars.prefix(quoteLength * 2)))).text()
    case .number(let number): text += number.text.prefix(quoteLength * 2)
    case .null, .bool: text += value.text()
    }
  }

  /// Text cut to a length fit for a sentence.
  static func shortened(_ text: String) -> String {
    text.count > quoteLength ? text.prefix(quoteLength) + "…" : text
  }

  static func list(_ values: [JSONValue]) -> String {
    let quoted = values.prefix(listLength).map(quote)
    guard values.count > listLength else { return quoted.alternatives }
    return quoted.joined(separator: ", ") + " or \(values.count - listLength) more"
  }

  /// "got 20", or the type too where that is the point.
  static func got(_ value: JSONValue, withType: Bool = false) -> String {
    guard withType else { return "got \(quote(value))" }
    switch value {
    case .null: return "got null"
    case .bool(let flag): return "got \(flag)"
    case .number, .string: return "got \(JSONTypes(of: value).phrase) (\(quote(value)))"
    case .array, .object: return "got \(JSONTypes(of: value).phrase)"
    }
  }

  static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }

  /// Names in backquotes, as many as are useful.
  static func names(_ names: [String]) -> String {
    let shown = names.prefix(listLength).map { "`\(shortened($0))`" }.joined(separator: ", ")
    return names.count > listLength ? shown + " and \(names.count - listLength) more" : shown
  }
}
