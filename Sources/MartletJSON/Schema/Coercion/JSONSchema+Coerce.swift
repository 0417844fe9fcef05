extension JSONSchema {
  /// The value a model most likely meant, where it wrote one of the wrong type.
  ///
  /// | written | where the schema admits | becomes |
  /// |---|---|---|
  /// | `"3"`, `"true"`, `"True"`, `"null"` | no string, but a number, boolean or null | `3`, `true`, `true`, `null` |
  /// | `"[1]"`, `"{\"a\":1}"` | no string, but an array or object | `[1]`, `{"a":1}` |
  /// | `3`, `true` | no number or boolean, but a string | `"3"`, `"true"` |
  /// | `3.0` | only integers | `3` |
  /// | `"x"` | no string, but an array whose items may be strings | `["x"]` |
  /// | `"Celsius"` | one of `"celsius"`, `"kelvin"` | `"celsius"` |
  /// | `{"a": null}` | an optional `a` that may not be null | `{}` |
  ///
  /// A valid value comes back equal, nothing else is dropped or rounded (`"1,000"` stays a string), and what cannot be
  /// mended stays for `validate(_:limit:)` to complain about. Mending twice changes nothing more. Where several forms
  /// of an `anyOf` would do, the closest wins, then the first.
  public func coerce(_ value: JSONValue) -> JSONValue {
    var coercion = SchemaCoercion(program)
    return coercion.coerced(value)
  }
}
