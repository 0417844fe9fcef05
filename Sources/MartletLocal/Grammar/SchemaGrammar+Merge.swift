import MartletJSON

extension SchemaGrammar {
  /// What satisfies both: properties and requirements together, the narrower of two bounds, common types and values.
  func merge(
    _ base: JSONObject, with schema: JSONValue, at path: String
  ) throws(SchemaGrammarError) -> JSONObject {
    var addition: JSONObject
    switch schema {
    case .bool(true): return base
    case .bool(false): throw SchemaGrammarError(.unsatisfiable, path: path, "the schema false allows no value")
    case .object(let object): addition = object
    default: throw SchemaGrammarError(.malformed, path: path, "a schema must be an object or a boolean")
    }
    var seen: Set<String> = []
    while !base.isEmpty, let pointer = addition["$ref"]?.stringValue {
      guard seen.insert(pointer).inserted else {
        throw SchemaGrammarError(.unresolved, path: path, "$ref \(pointer) leads only to itself")
      }
      addition.removeValue(forKey: "$ref")
      let target = try resolve(pointer, at: path)
      guard case .object(let object) = target else { return try merge(base, with: target, at: path) }
      addition = try merge(addition, with: .object(object), at: path)
    }
    var merged = base
    for (key, value) in addition {
      merged[key] =
        try merged[key].map { old throws(SchemaGrammarError) in
          try combine(key, old, value, at: path)
        } ?? value
    }
    return merged
  }

  private func combine(
    _ key: String, _ old: JSONValue, _ new: JSONValue, at path: String
  ) throws(SchemaGrammarError) -> JSONValue {
    if old == new { return old }
    switch key {
    case "properties", "$defs", "definitions":
      guard var members = old.objectValue, let more = new.objectValue else { return new }
      for (name, schema) in more {
        guard let existing = members[name] else {
          members[name] = schema
          continue
        }
        if key == "properties" { members[name] = try both(existing, schema, at: "\(path)/properties/\(name)") }
      }
      return .object(members)
    case "required":
      let names = old.arrayValue ?? []
      return .array(names + (new.arrayValue ?? []).filter { !names.contains($0) })
    case "items", "additionalProperties": return try both(old, new, at: "\(path)/\(key)")
    case "allOf": return .array((old.arrayValue ?? []) + (new.arrayValue ?? []))
    case "anyOf", "oneOf":
      // Both choices at once: each of the one with each of the other would be right; the second as a nested choice is.
      return .array(
        (old.arrayValue ?? []).map { .object(["allOf": [$0, .object([key: new])]]) })
    case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
      return (old.doubleValue ?? 0) >= (new.doubleValue ?? 0) ? old : new
    case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
      return (old.doubleValue ?? 0) <= (new.doubleValue ?? 0) ? old : new
    case "enum":
      let common = (old.arrayValue ?? []).filter { new.arrayValue?.contains($0) == true }
      guard !common.isEmpty else { throw contradiction(key, path) }
      return .array(common)
    case "const": throw contradiction(key, path)
    case "type":
      let left = Self.names(old)
      let right = Self.names(new)
      var common = left.filter(right.contains)
      if common.isEmpty, Set(left + right) == ["integer", "number"] { common = ["integer"] }
      guard !common.isEmpty else { throw contradiction(key, path) }
      return common.count == 1 ? .string(common[0]) : .array(common.map { .string($0) })
    default: return new  // annotations; of two patterns or formats the last is kept and the other left to validation
    }
  }

  private func both(_ a: JSONValue, _ b: JSONValue, at path: String) throws(SchemaGrammarError) -> JSONValue {
    if a == .bool(true) { return b }
    if b == .bool(true) { return a }
    if a == .bool(false) || b == .bool(false) { return false }
    return ["allOf": [a, b]]
  }

  private static func names(_ type: JSONValue) -> [String] {
    type.arrayValue.map { $0.compactMap(\.stringValue) } ?? type.stringValue.map { [$0] } ?? []
  }

  private func contradiction(_ key: String, _ path: String) -> SchemaGrammarError {
    SchemaGrammarError(.unsatisfiable, path: path, "the parts of the schema ask for different \(key)s")
  }
}
