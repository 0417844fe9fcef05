/// Makes a small value that most likely fits a schema.
enum SampleValue {
  static func make(for schema: JSONValue, depth: Int = 0) -> JSONValue {
    guard case .object(let schema) = schema, depth < 16 else { return .null }
    if let given = schema["const"] ?? schema["default"] ?? schema["examples"]?[0] ?? schema["enum"]?[0] { return given }
    for key in ["anyOf", "oneOf", "allOf"] {
      if let first = schema[key]?[0] { return make(for: first, depth: depth + 1) }
    }
    switch schema["type"]?.stringValue ?? schema["type"]?[0]?.stringValue {
    case "string"?: return .string(text(schema))
    case "integer"?, "number"?: return schema["minimum"] ?? schema["maximum"] ?? 0
    case "boolean"?: return false
    case "array"?:
      let count = min(schema["minItems"]?.intValue ?? 0, 16)
      return .array(
        (0..<count).map { index in
          make(for: schema["prefixItems"]?[index] ?? schema["items"] ?? true, depth: depth + 1)
        })
    case "object"?:
      var object = JSONObject()
      for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
        object[name] = make(for: schema["properties"]?[name] ?? true, depth: depth + 1)
      }
      return .object(object)
    default: return .null
    }
  }

  private static func text(_ schema: JSONObject) -> String {
    switch schema["format"]?.stringValue {
    case "date-time": "2000-01-01T00:00:00Z"
    case "date": "2000-01-01"
    case "time": "00:00:00Z"
    case "uri": "https://example.com"
    case "uuid": "00000000-0000-0000-0000-000000000000"
    case "email": "a@example.com"
    default: String(repeating: "a", count: min(schema["minLength"]?.intValue ?? 0, 1_000))
    }
  }
}
