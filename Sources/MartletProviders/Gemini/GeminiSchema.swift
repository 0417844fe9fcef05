import MartletJSON

/// JSON Schema in the older form of Gemini's API (`parameters`, `responseSchema`): a subset of OpenAPI's.
///
/// References are put in place (what contains itself ends as an object without properties), `const` becomes an `enum`, a
/// list of types `nullable` or `anyOf`; what the form cannot say is left out, so it may allow more than the original.
enum GeminiSchema {
  static func openAPI(_ schema: JSONValue) -> JSONValue {
    converted(schema, root: schema, path: [])
  }

  /// What both forms have.
  private static let kept: Set<String> = [
    "title", "description", "format", "minItems", "maxItems", "minProperties", "maxProperties", "minLength",
    "maxLength",
    "pattern", "minimum", "maximum", "default", "required", "nullable", "propertyOrdering",
  ]

  private static func converted(_ schema: JSONValue, root: JSONValue, path: [String]) -> JSONValue {
    guard let source = schema.objectValue, path.count < 64 else { return [:] }
    if let reference = source["$ref"]?.stringValue {
      guard !path.contains(reference), let target = ToolParameters.resolve(reference, in: root) else {
        return ["type": "object"]
      }
      return converted(target, root: root, path: path + [reference])
    }
    var result = JSONObject()
    for (key, value) in source where kept.contains(key) { result[key] = value }
    writeType(source, into: &result)
    if let constant = source["const"] { writeEnum([constant], into: &result) }
    if let values = source["enum"]?.arrayValue { writeEnum(values, into: &result) }
    if let items = source["items"] {
      result["items"] = converted(items, root: root, path: path + [""])
    } else if result["type"] == "array" {
      result["items"] = ["type": "string"]
    }
    if let properties = source["properties"]?.objectValue, !properties.isEmpty {
      result["properties"] = .object(
        JSONObject(
          properties.lazy.map { (key: $0.key, value: converted($0.value, root: root, path: path + [""])) }))
    } else {
      result.removeValue(forKey: "required")
    }
    for key in ["anyOf", "oneOf"] {
      guard let choices = source[key]?.arrayValue else { continue }
      writeChoices(choices.map { converted($0, root: root, path: path + [""]) }, into: &result)
    }
    for part in source["allOf"]?.arrayValue ?? [] {
      guard let part = converted(part, root: root, path: path + [""]).objectValue else { continue }
      merge(part, into: &result)
    }
    // What is needed must be there.
    if let required = result["required"]?.arrayValue {
      let names = result["properties"]?.objectValue ?? [:]
      result["required"] = .array(required.filter { $0.stringValue.flatMap { names[$0] } != nil })
    }
    return .object(result)
  }

  private static func writeType(_ source: JSONObject, into result: inout JSONObject) {
    switch source["type"] {
    case .string(let type): if type != "null" { result["type"] = .string(type) } else { result["nullable"] = true }
    case .array(let types):
      let names = types.filter { $0 != "null" }
      if names.count < types.count { result["nullable"] = true }
      if names.count == 1 {
        result["type"] = names[0]
      } else {
        result["anyOf"] = .array(names.map { ["type": $0] })
      }
    default:
      if source["properties"] != nil { result["type"] = "object" }
    }
  }

  /// Only texts can be listed.
  private static func writeEnum(_ values: [JSONValue], into result: inout JSONObject) {
    if values.contains(.null) { result["nullable"] = true }
    let texts = values.filter { !$0.isNull }
    guard !texts.isEmpty, texts.allSatisfy({ $0.stringValue != nil }) else { return }
    result["type"] = "string"
    result["enum"] = .array(texts)
  }

  private static func writeChoices(_ choices: [JSONValue], into result: inout JSONObject) {
    let isNull: (JSONValue) -> Bool = { $0["nullable"] == true && $0["type"] == nil && $0["anyOf"] == nil }
    let rest = choices.filter { !isNull($0) }
    if rest.count < choices.count { result["nullable"] = true }
    if rest.count == 1, let only = rest[0].objectValue {
      merge(only, into: &result)
    } else if !rest.isEmpty {
      result["anyOf"] = .array(rest)
    }
  }

  private static func merge(_ part: JSONObject, into result: inout JSONObject) {
    for (key, value) in part {
      switch (key, result[key]) {
      case ("properties", .object(let known)?):
        result[key] = .object(known.merging(value.objectValue ?? [:]))
      case ("required", .array(let known)?):
        result[key] = .array(known + (value.arrayValue ?? []).filter { !known.contains($0) })
      case (_, nil): result[key] = value
      default: break
      }
    }
  }
}
