/// A set of the types JSON Schema tells apart. `integer` is part of `number`: it holds numbers without a fraction.
struct JSONTypes: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let null = Self(rawValue: 1)
  static let boolean = Self(rawValue: 2)
  static let integer = Self(rawValue: 4)
  static let fraction = Self(rawValue: 8)
  static let string = Self(rawValue: 16)
  static let array = Self(rawValue: 32)
  static let object = Self(rawValue: 64)
  static let number: Self = [.integer, .fraction]
  static let all = Self(rawValue: 127)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set of a name `type` may hold.
  init?(name: String) {
    guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
    self = known.types
  }

  /// The set with the one type of a value.
  init(of value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool: .boolean
      case .number(let number): number.isIntegral ? .integer : .fraction
      case .string: .string
      case .array: .array
      case .object: .object
      }
  }

  /// Whether a value's type is in the set.
  func contains(typeOf value: JSONValue) -> Bool {
    if case .number = value, isSuperset(of: .number) { return true }
    return isSuperset(of: JSONTypes(of: value))
  }

  /// "a string, an integer or null".
  var phrase: String {
    var parts: [String] = []
    for (name, types) in Self.names {
      // A fraction alone is called a number, and a number is not called an integer as well.
      let isNamed =
        switch types {
        case .number: contains(.fraction)
        case .integer: contains(.integer) && !contains(.fraction)
        default: isSuperset(of: types)
        }
      if isNamed { parts.append(Self.article(name)) }
    }
    return parts.alternatives
  }

  private static func article(_ name: String) -> String {
    switch name {
    case "null": name
    case "integer", "array", "object": "an \(name)"
    default: "a \(name)"
    }
  }

  static let names: [(name: String, types: JSONTypes)] = [
    ("string", .string), ("integer", .integer), ("number", .number), ("boolean", .boolean), ("array", .array),
    ("object", .object), ("null", .null),
  ]
}

extension JSONNumber {
  /// Whether the value has no fraction, whatever its size and spelling.
  var isIntegral: Bool {
    switch storage {
    case .integer: true
    case .text(let text):
      { $0.digits.isEmpty || $0.exponent >= $0.digits.count }(JSONDecimal(text))
    }
  }
}

extension [String] {
  /// "a, b or c".
  var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
