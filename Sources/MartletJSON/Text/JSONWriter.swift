/// Writes JSON text. Keys keep their order and numbers their text, so equal values built alike give equal bytes.
///
/// Escaped are `"`, `\` and the control characters below U+0020, nothing else: `/`, U+2028 and U+2029 stay raw.
public struct JSONWriter: Sendable {
  /// How the text looks.
  public struct Style: Hashable, Sendable {
    private enum Value { case compact, pretty, canonical }
    private let value: Value

    /// No white space.
    public static let compact = Self(value: .compact)
    /// One member or element a line, indented by two spaces; empty arrays and objects stay on one line.
    public static let pretty = Self(value: .pretty)
    /// No white space, keys sorted by UTF-16 code units, numbers in ECMAScript's form: RFC 8785, but digits that
    /// a double could not hold are kept. Equal values give equal bytes and different values different ones.
    public static let canonical = Self(value: .canonical)

    var isPretty: Bool { value == .pretty }
    var isCanonical: Bool { value == .canonical }
  }

  private let style: Style
  private(set) var output: [UInt8] = []

  private init(style: Style) {
    self.style = style
  }

  /// The text of a value in UTF-8.
  public static func write(_ value: JSONValue, _ style: Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style: style)
    writer.write(value, indent: 0)
    return writer.output
  }

  private mutating func write(_ value: JSONValue, indent: Int) {
    switch value {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .number(let number):
      output += (style.isCanonical ? JSONDecimal(number.text).canonicalText : number.text).utf8
    case .string(let string): write(string)
    case .array(let elements): write(elements, indent: indent)
    case .object(let object): write(object, indent: indent)
    }
  }

  private mutating func write(_ elements: [JSONValue], indent: Int) {
    output.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      newLine(indent + 1)
      write(element, indent: indent + 1)
    }
    if !isFirst { newLine(indent) }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject, indent: Int) {
    output.append(UInt8(ascii: "{"))
    var entries = object.entries
    if style.isCanonical {
      entries.sort { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
    }
    var isFirst = true
    for entry in entries {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      newLine(indent + 1)
      write(entry.key)
      output.append(UInt8(ascii: ":"))
      if style.isPretty { output.append(UInt8(ascii: " ")) }
      write(entry.value, indent: indent + 1)
    }
    if !isFirst { newLine(indent) }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func newLine(_ indent: Int) {
    guard style.isPretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indent))
  }

  private mutating func write(_ string: String) {
    output.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0..<0x20: escape(byte)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x08: output += #"\b"#.utf8
    case 0x09: output += #"\t"#.utf8
    case 0x0a: output += #"\n"#.utf8
    case 0x0c: output += #"\f"#.utf8
    case 0x0d: output += #"\r"#.utf8
    default:
      output += #"\u00"#.utf8
      output.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      output.append(Array("0123456789abcdef".utf8)[Int(byte & 0xf)])
    }
  }
}

extension JSONValue {
  /// The JSON text.
  public func text(_ style: JSONWriter.Style = .compact) -> String {
    String(decoding: JSONWriter.write(self, style), as: UTF8.self)
  }

  /// The JSON text in UTF-8.
  public func bytes(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    JSONWriter.write(self, style)
  }
}
