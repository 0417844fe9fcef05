/// Tolerant reading of arguments, for tools that take them as a `JSONValue`: models write `"3"` for 3.
extension JSONValue {
  /// An integer, or a string that spells one: `3`, `3.0`, `"3"`, `" 3.0 "`. Nil for anything else.
  public var asInt: Int? { intValue ?? spelt?.intValue }

  /// A number, or a string that spells one. Nil for anything else.
  public var asDouble: Double? { doubleValue ?? spelt?.doubleValue }

  /// `true`, `false`, or a string that spells them in any case. Nil for anything else.
  public var asBool: Bool? { boolValue ?? spelt?.boolValue }

  /// A string, or the text of a number or boolean. Nil for anything else.
  public var asString: String? { stringValue ?? ScalarCoercion.converted(self, to: .string)?.stringValue }

  /// What a string says in JSON.
  private var spelt: JSONValue? { ScalarCoercion.converted(self, to: [.number, .boolean]) }
}
