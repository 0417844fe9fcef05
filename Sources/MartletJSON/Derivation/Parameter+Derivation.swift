/// What a template's parameters say, with their types erased.
protocol DescribedParameter {
  /// Description, bounds, allowed values and examples as keywords.
  func keywords() throws -> JSONObject
  /// What an absent argument gets; nil if there is no default.
  func defaultValue() throws -> JSONValue?
}

extension Parameter: DescribedParameter {
  func keywords() throws -> JSONObject {
    var result = rules
    if !allowed.isEmpty { result["enum"] = .array(try allowed.map(json)) }
    if !text.isEmpty { result["description"] = .string(text) }
    if !examples.isEmpty { result["examples"] = .array(try examples.map(json)) }
    return result
  }

  func defaultValue() throws -> JSONValue? {
    guard hasDefault, let stored else { return nil }
    let value = try json(stored)
    guard !value.isNull else { return nil }
    return value
  }

  /// A value as this parameter is coded.
  private func json(_ value: Value) throws -> JSONValue {
    var copy = self
    copy.wrappedValue = value
    return try JSONValue(encoding: copy)
  }
}

extension Parameter: DerivableContainer {
  static func shape(_ deriver: SchemaDeriver) throws -> DerivedShape { try deriver.shape(of: Value.self) }

  static func sample(_ deriver: SchemaDeriver) throws -> Self { Self(value: nil, text: "", hasDefault: false) }
}

extension Parameter: OptionalShape where Value: OptionalShape {}
