import MartletJSON

/// Whole numbers under a schema of type `number`, with a fraction: 3 becomes 3.0.
///
/// To JSON they are equal, but tools written in languages with two kinds of numbers take 3 for an integer and may refuse
/// it. What `anyOf` and `$ref` say stays open.
enum FloatForm {
  static func apply(_ schema: JSONValue, to value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number):
      guard schema["type"] == "number", schema["enum"] == nil, number.text.utf8.allSatisfy({ $0 < 0x3A && $0 != 0x2E })
      else { return value }
      return JSONNumber(text: number.text + ".0").map(JSONValue.number) ?? value
    case .array(let items):
      let prefix = schema["prefixItems"]?.arrayValue ?? []
      let rest = schema["items"] ?? true
      return .array(
        items.enumerated().map { apply($0.offset < prefix.count ? prefix[$0.offset] : rest, to: $0.element) })
    case .object(var object):
      for (name, member) in object {
        if let schema = schema["properties"]?[name] { object[name] = apply(schema, to: member) }
      }
      return .object(object)
    default: return value
    }
  }
}
