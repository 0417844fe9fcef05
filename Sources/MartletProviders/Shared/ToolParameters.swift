import Martlet
import MartletJSON

/// The parameters of a tool as services take them: an object at the root, with its properties said there.
///
/// Anthropic and OpenAI refuse a tool whose schema has alternatives at its root, and with it every request; servers of tools
/// write them often, mostly to say that one of several properties is needed. What the alternatives name is put into the
/// root. That may allow more than the original, which arguments are held against all the same.
enum ToolParameters {
  private static let alternatives = ["anyOf", "oneOf"]
  private static let refused = ["$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "then", "else"]

  static func object(_ schema: JSONValue) -> JSONObject {
    var root = schema.objectValue ?? [:]
    if refused.contains(where: { root[$0] != nil }) {
      root = flattened(root, in: schema, depth: 0)
    }
    // A root that is a list of types still describes arguments, which are always an object.
    root["type"] = "object"
    if root["properties"]?.objectValue == nil { root["properties"] = [:] }
    return root
  }

  /// The object with what its references and alternatives add, and without them.
  private static func flattened(_ object: JSONObject, in root: JSONValue, depth: Int) -> JSONObject {
    var result = object
    for key in refused { result.removeValue(forKey: key) }
    guard depth < 8 else { return result }
    func parts(_ key: String) -> [JSONObject] {
      (object[key]?.arrayValue ?? []).compactMap(\.objectValue).map { flattened($0, in: root, depth: depth + 1) }
    }
    if let reference = object["$ref"]?.stringValue, let target = resolve(reference, in: root)?.objectValue {
      add(flattened(target, in: root, depth: depth + 1), to: &result)
    }
    for part in parts("allOf") { add(part, to: &result) }
    for key in alternatives {
      let choices = parts(key)
      guard let first = choices.first else { continue }
      // What every choice needs is needed.
      let common = choices.dropFirst().reduce(required(first)) { names, choice in
        names.filter(required(choice).contains)
      }
      for var choice in choices {
        choice["required"] = .array(common.map { .string($0) })
        add(choice, to: &result)
      }
    }
    return result
  }

  private static func required(_ object: JSONObject) -> [String] {
    (object["required"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  private static func add(_ part: JSONObject, to result: inout JSONObject) {
    if let more = part["properties"]?.objectValue {
      var properties = result["properties"]?.objectValue ?? [:]
      for (name, schema) in more where properties[name] == nil { properties[name] = schema }
      result["properties"] = .object(properties)
    }
    let known = required(result)
    let new = required(part).filter { !known.contains($0) }
    if !new.isEmpty { result["required"] = .array((known + new).map { .string($0) }) }
    if result["description"] == nil, let text = part["description"] { result["description"] = text }
  }

  /// What a reference within the document leads to.
  static func resolve(_ reference: String, in root: JSONValue) -> JSONValue? {
    guard reference.hasPrefix("#") else { return nil }
    var value: JSONValue? = root
    for step in reference.dropFirst().split(separator: "/") {
      let key = step.replacing("~1", with: "/").replacing("~0", with: "~")
      value = value?[String(key)]
    }
    return value
  }
}

extension [ToolDefinition] {
  /// Those that are not offered in a service's own form already: two tools of one name are refused.
  func offered(beside serverTools: [JSONValue]) -> [ToolDefinition] {
    if serverTools.isEmpty { return self }
    let names = Set(serverTools.compactMap { $0["name"]?.stringValue ?? $0["type"]?.stringValue })
    return filter { !names.contains($0.name) }
  }
}
