import MartletJSON

/// How values and calls are written for a model.
enum CallSyntax {
  /// A value in compact form with one space after `,` and `:`, which is how models write them unasked.
  static func text(_ value: JSONValue, style: LiteralStyle) -> String {
    switch value {
    case .null: style.null
    case .bool(let bool): style.bool(bool)
    case .number(let number): number.text
    case .string: value.text()
    case .array(let items): "[" + items.map { text($0, style: style) }.joined(separator: ", ") + "]"
    case .object(let object):
      "{" + object.map { JSONValue.string($0.key).text() + ": " + text($0.value, style: style) }
        .joined(separator: ", ") + "}"
    }
  }
}
