import MartletJSON

extension JSONValue {
  /// The elements of a member that is an array, else none.
  func elements(_ key: String) -> [JSONValue] { self[key]?.arrayValue ?? [] }

  /// The text of a member that is a string.
  func text(_ key: String) -> String? { self[key]?.stringValue }

  /// The member unless it is missing or null.
  func present(_ key: String) -> JSONValue? {
    guard let value = self[key], !value.isNull else { return nil }
    return value
  }

  var type: String { text("type") ?? "" }

  /// What JSON calls the value's type, in OpenAI's words.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number(let number): number.int == nil ? "a decimal" : "an integer"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value without the members of a name, at any depth.
  func removing(_ key: String) -> JSONValue {
    switch self {
    case .array(let values): .array(values.map { $0.removing(key) })
    case .object(let object):
      .object(JSONObject(object.lazy.filter { $0.key != key }.map { (key: $0.key, value: $0.value.removing(key)) }))
    default: self
    }
  }
}

extension String {
  /// Whether every byte is a letter, a digit, `_` or `-`: what tool names and ids may hold.
  var isPlainName: Bool {
    !isEmpty
      && utf8.allSatisfy {
        ($0 >= 0x30 && $0 <= 0x39) || (($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A) || $0 == 0x5F || $0 == 0x2D
      }
  }

  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
