extension JSONSchema {
  /// The schema of the JSON that a type decodes from.
  ///
  /// The type is asked itself: it decodes from sample values while it is written down which keys it wants, so CodingKeys
  /// and hand-written `init(from:)` count. Members come in the order they are decoded, which for compiler-made code is
  /// that of the declaration. Known are nested types, optionals (not required), arrays, sets, dictionaries, enums that
  /// are `CaseIterable` with raw values, `Date` (`date-time`), `URL`, `UUID`, `Data` (base64), `Decimal`, `JSONValue`
  /// (anything), and types that hold themselves through an array, dictionary or optional. Objects admit no other
  /// members. `ToolArguments` add descriptions, defaults and bounds.
  ///
  /// - Throws: `JSONSchemaError` with code `underivable` and the path of the property: for enums with payloads, enums
  ///   that do not list their cases, types that refuse sample values or take arbitrary keys (conform those to
  ///   `JSONSchemaProviding`), and types that hold themselves directly. Also for a default or example that its own
  ///   bounds do not admit.
  public static func derived<T: Decodable>(from type: T.Type) throws -> JSONSchema {
    try JSONSchema(derived: try SchemaDeriver.derive(type))
  }

  init(derived: DerivedSchema) throws {
    try self.init(derived.document)
    try checkDefaults()
  }

  private func checkDefaults() throws(JSONSchemaError) {
    for (index, node) in program.nodes.enumerated() {
      guard let schema = JSONPointer.value(at: node.location, in: document) else { continue }
      for value in [schema["default"]].compactMap(\.self) + (schema["examples"]?.arrayValue ?? []) {
        var validator = SchemaValidator(program, limit: 1, value: value)
        guard let violation = validator.violations(of: value, node: index).first else { continue }
        throw JSONSchemaError(
          .underivable, "the default or example \(ViolationText.quote(value)) does not fit: \(violation)",
          at: node.location)
      }
    }
  }
}
