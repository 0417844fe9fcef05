/// A generic type whose shape follows from that of its contents, without decoding any.
protocol DerivableContainer {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape
  static func sample(_ deriver: SchemaDeriver) throws -> Self
}

/// Marks optionals: their key may be absent.
protocol OptionalShape {}

extension Optional: OptionalShape {}

extension Optional: DerivableContainer where Wrapped: Decodable {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape { try deriver.shape(of: Wrapped.self) }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { nil }
}

extension Array: DerivableContainer where Element: Decodable {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape {
    try deriver.within("[]") { .array(try deriver.shape(of: Element.self), isUnique: false) }
  }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { [] }
}

extension ContiguousArray: DerivableContainer where Element: Decodable {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape { try [Element].shape(deriver) }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { [] }
}

extension Set: DerivableContainer where Element: Decodable {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape {
    try deriver.within("[]") { .array(try deriver.shape(of: Element.self), isUnique: true) }
  }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { [] }
}

extension Dictionary: DerivableContainer where Key: Decodable, Value: Decodable {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape {
    try deriver.within("*") { .map(try deriver.shape(of: Value.self), keys: try keys(deriver)) }
  }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { [:] }

  /// A dictionary is a JSON object only for keys that are strings, integers or `CodingKeyRepresentable`; with any other
  /// it becomes an array of keys and values in turn, which no model gets right.
  private static func keys(_ deriver: SchemaDeriver) throws -> JSONObject? {
    if Key.self == String.self { return nil }
    if Key.self == Int.self { return ["pattern": "^-?[0-9]+$"] }
    guard Key.self is any CodingKeyRepresentable.Type else {
      throw deriver.failure(
        "a dictionary with \(Key.self) keys is not an object in JSON; use String keys or conform \(Key.self) to "
          + "CodingKeyRepresentable")
    }
    guard let choices = try ChoiceShape.of(Key.self), let values = choices.schema["enum"] else { return nil }
    return ["enum": .array((values.arrayValue ?? []).map { .string($0.stringValue ?? $0.text()) })]
  }
}
