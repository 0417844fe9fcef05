/// A type that says what its JSON looks like, where that cannot be found out by decoding it: enums with payloads,
/// initialisers that check what they read.
///
/// ```swift
/// struct Percentage: Codable, JSONSchemaProviding {
///   static let jsonSchema: JSONValue = ["type": "integer", "minimum": 0, "maximum": 100]
/// }
/// ```
public protocol JSONSchemaProviding {
  /// The schema document. It is put inside the schemas of other types, so a `$ref` in it must start at an `$id` of its
  /// own. Where another type holds a value of this one, the value must decode from what the schema gives as `const`,
  /// `default`, `examples` or `enum`, or else from the smallest value that it admits.
  static var jsonSchema: JSONValue { get }
}
