import MartletJSON

/// JSON Schemas as OpenAI's services take them (its guide to structured outputs, section "supported schemas").
enum OpenAISchema {
  /// What a `strict` schema may hold at most.
  private static let depthLimit = 10
  private static let propertyLimit = 5_000

  /// The parameters of a function: an object schema, in which each array says what its items are.
  static func parameters(_ schema: JSONValue) -> JSONValue { withItems(.object(ToolParameters.object(schema))) }

  private static func withItems(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if isOf(schema, "array"), object["items"] == nil { object["items"] = [:] }
    for (key, value) in object { object[key] = mapped(key, value, withItems) }
    return .object(object)
  }

  /// The same schema in the strict subset, or nil when it cannot be said there without changing which values it allows.
  /// Objects that say nothing of further properties are closed, which only narrows them.
  static func strict(_ schema: JSONValue) -> JSONValue? {
    // The root has no alternatives.
    guard schema["type"]?.stringValue == "object", schema["anyOf"] == nil, schema["enum"] == nil else { return nil }
    var properties = 0
    return strict(schema, depth: 0, properties: &properties)
  }

  private static let refused: Set<String> = [
    "allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas",
    "dependencies", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains", "prefixItems",
    "minProperties", "maxProperties", "uniqueItems",
  ]

  private static func strict(_ schema: JSONValue, depth: Int, properties: inout Int) -> JSONValue? {
    guard case .object(var object) = schema, depth <= depthLimit, object.keys.allSatisfy({ !refused.contains($0) })
    else { return nil }
    if object["$ref"] != nil {
      guard object.count == 1 else { return nil }
      return schema
    }
    object.removeValue(forKey: "default")
    if isOf(schema, "object") {
      guard object["additionalProperties"] == nil || object["additionalProperties"] == false else { return nil }
      let names = object["properties"]?.objectValue.map { Array($0.keys) } ?? []
      let required = Set((object["required"]?.arrayValue ?? []).compactMap(\.stringValue))
      properties += names.count
      guard names.allSatisfy(required.contains), properties <= propertyLimit else { return nil }
      if object["properties"] == nil { object["properties"] = [:] }
      if object["required"] == nil { object["required"] = [] }
      object["additionalProperties"] = false
    } else if object["type"] == nil, object["anyOf"] == nil, object["enum"] == nil, object["const"] == nil {
      return nil
    }
    if isOf(schema, "array"), object["items"] == nil { return nil }
    var fits = true
    for (key, value) in object where key != "additionalProperties" {
      object[key] = mapped(key, value) { part in
        guard let part = strict(part, depth: depth + 1, properties: &properties) else {
          fits = false
          return part
        }
        return part
      }
    }
    guard fits else { return nil }
    return .object(object)
  }

  /// A keyword's value with the schemas below it changed.
  private static func mapped(_ key: String, _ value: JSONValue, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    switch (key, value) {
    case ("properties", .object(let schemas)), ("$defs", .object(let schemas)), ("definitions", .object(let schemas)):
      .object(JSONObject(schemas.map { (key: $0.key, value: change($0.value)) }))
    case ("items", .object): change(value)
    case ("anyOf", .array(let schemas)), ("allOf", .array(let schemas)), ("oneOf", .array(let schemas)):
      .array(schemas.map(change))
    default: value
    }
  }

  private static func isOf(_ schema: JSONValue, _ type: String) -> Bool {
    schema["type"]?.stringValue == type || (schema["type"]?.arrayValue ?? []).contains(.string(type))
  }
}
