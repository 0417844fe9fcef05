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
      "{"
        + object.map { JSONValue.string($0.key).text() + ": " + text($0.value, style: style) }
        .joined(separator: ", ") + "}"
    }
  }
}

extension CallSyntax {
  /// Reads a value back.
  static func value(_ text: String, style: LiteralStyle) throws(JSONError) -> JSONValue {
    try JSONValue(parsing: style == .json ? text : json(python: text))
  }

  /// `True`, `False` and `None` outside strings become their JSON forms.
  static func json(python text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    var isInString = false
    let names: [(python: [UInt8], json: [UInt8])] = [
      (Array("True".utf8), Array("true".utf8)), (Array("False".utf8), Array("false".utf8)),
      (Array("None".utf8), Array("null".utf8)),
    ]
    scan: while index < bytes.count {
      let byte = bytes[index]
      if isInString, byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        result += bytes[index...index + 1]
        index += 2
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if !isInString {
        for name in names where bytes[index...].starts(with: name.python) {
          result += name.json
          index += name.python.count
          continue scan
        }
      }
      result.append(byte)
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
