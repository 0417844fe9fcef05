/// Writes JSON text. Keys keep their order and numbers their text, so equal values built alike give equal bytes.
///
/// Escaped are `"`, `\` and the control characters below U+0020, nothing else: `/`, U+2028 and U+2029 stay raw.
public enum JSONWriter {
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

  /// The text of a value in UTF-8.
  public static func write(_ value: JSONValue, _ style: Style = .compact) -> [UInt8] {
    write(value, style) { Array($0) }
  }

  /// Hands the text of a value to `body`, which must not keep it.
  static func write<Result>(
    _ value: JSONValue, _ style: Style, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { room in
      var printer = JSONPrinter(style: style, output: JSONOutput(room))
      defer { printer.output.destroy() }
      printer.write(value, indent: 0)
      return body(printer.output.bytes)
    }
  }
}

extension JSONValue {
  /// The JSON text.
  public func text(_ style: JSONWriter.Style = .compact) -> String {
    JSONWriter.write(self, style) { String(decoding: $0, as: UTF8.self) }
  }

  /// The JSON text in UTF-8.
  public func bytes(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    JSONWriter.write(self, style)
  }
}
