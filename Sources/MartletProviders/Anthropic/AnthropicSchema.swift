import MartletJSON

/// JSON Schemas as Anthropic takes them for strict tools and answers: after its guide to structured outputs (November 2026),
/// closed objects and few keywords. `additionalProperties: false` is added where a schema says nothing.
enum AnthropicSchema {
  /// How many strict tools a request may have, with how many optional parameters.
  struct Allowance {
    private var tools = 20
    private var optional = 24
    private var unions = 16

    init() {}

    /// Whether a tool still fits, which is then counted.
    mutating func admits(_ schema: JSONValue) -> Bool {
      let (optional, unions) = Self.count(schema)
      guard tools > 0, optional <= self.optional, unions <= self.unions else { return false }
      tools -= 1
      self.optional -= optional
      self.unions -= unions
      return true
    }

    private static func count(_ value: JSONValue) -> (optional: Int, unions: Int) {
      var (optional, unions) = (0, 0)
      switch value {
      case .object(let object):
        let required = object["required"]?.arrayValue?.count ?? 0
        optional = max(0, (object["properties"]?.objectValue?.count ?? 0) - required)
        if object["anyOf"]?.arrayValue != nil || object["type"]?.arrayValue != nil { unions = 1 }
        for (_, member) in object {
          let inner = count(member)
          (optional, unions) = (optional + inner.optional, unions + inner.unions)
        }
      case .array(let values):
        for member in values {
          let inner = count(member)
          (optional, unions) = (optional + inner.optional, unions + inner.unions)
        }
      default: break
      }
      return (optional, unions)
    }
  }

  /// The schema of an answer: closed, alternatives as `anyOf`, without the keywords that are refused. It may
  /// allow more than the original, which the answer is checked against all the same.
  static func output(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if let choices = object["oneOf"] {
      object.removeValue(forKey: "oneOf")
      if object["anyOf"] == nil { object["anyOf"] = choices }
    }
    for key in refused { object.removeValue(forKey: key) }
    if let least = object["minItems"]?.intValue, least > 1 { object.removeValue(forKey: "minItems") }
    if isObject(schema) { object["additionalProperties"] = false }
    for key in ["properties", "$defs", "definitions"] {
      guard let members = object[key]?.objectValue else { continue }
      object[key] = .object(JSONObject(members.lazy.map { (key: $0.key, value: output($0.value)) }))
    }
    if let items = object["items"] { object["items"] = output(items) }
    for key in ["anyOf", "allOf"] {
      if let choices = object[key]?.arrayValue { object[key] = .array(choices.map(output)) }
    }
    return .object(object)
  }

  /// The schema in the strict form; nil where it has none.
  static func strict(_ schema: JSONValue) -> JSONValue? {
    guard !hasRecursion(schema) else { return nil }
    return closed(schema, depth: 0) { schema in
      Self.refused.allSatisfy { schema[$0] == nil } && (schema["minItems"]?.intValue ?? 0) <= 1
    }
  }

  private static let refused = [
    "oneOf", "not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas",
    "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties", "contains", "prefixItems", "minimum",
    "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems",
    "uniqueItems",
  ]

  private static func isObject(_ schema: JSONValue) -> Bool {
    schema["type"] == "object" || schema["type"]?.arrayValue?.contains("object") == true || schema["properties"] != nil
  }

  /// The schema with closed objects; nil unless it and all schemas in it are allowed.
  private static func closed(_ schema: JSONValue, depth: Int, _ isAllowed: (JSONValue) -> Bool) -> JSONValue? {
    guard case .object(var object) = schema, depth <= 10, isAllowed(schema) else { return nil }
    if isObject(schema) {
      switch object["additionalProperties"] {
      case nil: object["additionalProperties"] = false
      case .some(false): break
      default: return nil
      }
    }
    if schema["type"] == "array", object["items"] == nil { return nil }
    for key in ["properties", "$defs", "definitions"] {
      guard let members = object[key]?.objectValue else { continue }
      var changed = JSONObject()
      for (name, member) in members {
        guard let part = closed(member, depth: depth + 1, isAllowed) else { return nil }
        changed[name] = part
      }
      object[key] = .object(changed)
    }
    if let items = object["items"] {
      guard let part = closed(items, depth: depth + 1, isAllowed) else { return nil }
      object["items"] = part
    }
    for key in ["anyOf", "allOf"] {
      guard let choices = object[key]?.arrayValue else { continue }
      var changed: [JSONValue] = []
      for choice in choices {
        guard let part = closed(choice, depth: depth + 1, isAllowed) else { return nil }
        changed.append(part)
      }
      object[key] = .array(changed)
    }
    return .object(object)
  }

  /// Whether a schema can contain itself: any reference from within a definition is taken for one.
  private static func hasRecursion(_ schema: JSONValue) -> Bool {
    ["$defs", "definitions"].contains { key in
      (schema[key]?.objectValue ?? [:]).contains { holdsReference($0.value) }
    }
  }

  private static func holdsReference(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): object.contains { $0.key == "$ref" || holdsReference($0.value) }
    case .array(let values): values.contains(where: holdsReference)
    default: false
    }
  }
}
