import MartletJSON

/// Random schemas and values out of a small world, so that they often have to do with each other.
enum RandomSchema {
  static func schema(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    guard depth > 0 else {
      let leaves: [JSONValue] = [
        true, ["type": "integer"], ["type": "string"], ["enum": ["a", 1, nil]], ["const": "A"],
      ]
      return leaves.randomElement(using: &random) ?? true
    }
    func child() -> JSONValue { schema(depth: depth - 1, &random) }
    func children() -> JSONValue { .array((0..<Int.random(in: 1...3, using: &random)).map { _ in child() }) }
    func members() -> JSONValue {
      .object(JSONObject(["a", "b", "c"].shuffled(using: &random).prefix(2).map { (key: $0, value: child()) }))
    }
    var result = JSONObject()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<20, using: &random) {
      case 0...4: result["type"] = type(&random)
      case 5: result["type"] = .array([type(&random), type(&random)])
      case 6...8: result["properties"] = members()
      case 9: result["required"] = .array([["a", "b", "c"].randomElement(using: &random) ?? "a"])
      case 10: result["additionalProperties"] = child()
      case 11: result["items"] = child()
      case 12: result["prefixItems"] = children()
      case 13: result["anyOf"] = children()
      case 14: result["oneOf"] = children()
      case 15: result["allOf"] = children()
      case 16: result["enum"] = ["a", "B", 1, "2", true, nil]
      case 17: result["maximum"] = 2
      case 18: result["minItems"] = 1
      default: result["unevaluatedProperties"] = child()
      }
    }
    return .object(result)
  }

  static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    let scalars: [JSONValue] = [
      nil, true, "true", "null", 1, 2, 3.0, 3.5, "1", "3.0", "a", "A", "b", "", "[1]", #"{"a":"1"}"#, "[", "x",
    ]
    guard depth > 0 else { return scalars.randomElement(using: &random) ?? nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1, &random) })
    case 2...4:
      let keys = ["a", "b", "c", "d"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      return .object(JSONObject(keys.map { (key: $0, value: value(depth: depth - 1, &random)) }))
    default: return scalars.randomElement(using: &random) ?? nil
    }
  }

  private static func type(_ random: inout SeededGenerator) -> JSONValue {
    ["integer", "number", "string", "boolean", "null", "array", "object"].randomElement(using: &random) ?? "object"
  }
}
