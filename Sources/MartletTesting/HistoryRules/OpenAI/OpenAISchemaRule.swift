import MartletJSON

/// What OpenAI's services ask of the schema of a function.
enum OpenAISchemaRule {
  /// The first fault of a function's parameters, as the services put it.
  static func violation(
    _ rule: String, function: String, parameters: JSONValue?, isStrict: Bool, param: String
  ) -> RuleViolation? {
    guard let parameters, !parameters.isNull else { return nil }
    let fault =
      rootFault(parameters) ?? (isStrict ? strictFault(parameters, context: []) : arrayFault(parameters, context: []))
    guard let fault else { return nil }
    return OpenAIErrors.invalid(
      rule, code: "invalid_function_parameters", param: param, "Invalid schema for function '\(function)': \(fault)")
  }

  private static func rootFault(_ schema: JSONValue) -> String? {
    guard schema.text("type") == "object" else {
      let type = schema.text("type") ?? "None"
      return "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"\(type)\"'."
    }
    if ["oneOf", "anyOf", "allOf", "enum", "not"].contains(where: { schema[$0] != nil }) {
      return
        "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
    }
    return schema["properties"] == nil ? "In context=(), object schema missing properties." : nil
  }

  private static func place(_ context: [String]) -> String {
    context.isEmpty ? "In context=()" : "In context=(\(context.map { "'\($0)'" }.joined(separator: ", ")))"
  }

  /// Schemas below a schema, with their place.
  private static func parts(_ schema: JSONValue, _ context: [String]) -> [(JSONValue, [String])] {
    var parts: [(JSONValue, [String])] = []
    for key in ["properties", "$defs", "definitions"] {
      for (name, part) in schema[key]?.objectValue ?? [:] { parts.append((part, context + [key, name])) }
    }
    if let items = schema["items"], items.objectValue != nil { parts.append((items, context + ["items"])) }
    for key in ["anyOf", "allOf", "oneOf"] {
      for (index, part) in schema.elements(key).enumerated() { parts.append((part, context + [key, "\(index)"])) }
    }
    return parts
  }

  private static func isOf(_ schema: JSONValue, _ type: String) -> Bool {
    schema.text("type") == type || schema.elements("type").contains(.string(type))
  }

  private static func arrayFault(_ schema: JSONValue, context: [String]) -> String? {
    if isOf(schema, "array"), schema["items"] == nil {
      return "\(place(context)), array schema missing items."
    }
    return parts(schema, context).lazy.compactMap { arrayFault($0.0, context: $0.1) }.first
  }

  /// The subset of strict functions: closed objects of which every property is required, and a few keywords not at all.
  private static func strictFault(_ schema: JSONValue, context: [String]) -> String? {
    for key in ["allOf", "oneOf", "not", "if", "then", "else", "patternProperties"] where schema[key] != nil {
      return "\(place(context)), '\(key)' is not permitted."
    }
    if isOf(schema, "object") {
      guard schema["additionalProperties"] == false else {
        return "\(place(context)), 'additionalProperties' is required to be supplied and to be false."
      }
      let required = Set(schema.elements("required").compactMap(\.stringValue))
      if let name = schema["properties"]?.objectValue?.keys.first(where: { !required.contains($0) }) {
        return
          "\(place(context)), 'required' is required to be supplied and to be an array including every key in properties. Missing '\(name)'."
      }
    }
    if isOf(schema, "array"), schema["items"] == nil { return "\(place(context)), array schema missing items." }
    return parts(schema, context).lazy.compactMap { strictFault($0.0, context: $0.1) }.first
  }
}
