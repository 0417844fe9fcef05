import MartletJSON

/// Arguments of a tool that its schema marks with `x-mcp-header`: over HTTP they are sent as headers too, so that what
/// stands between client and server can see them.
struct MarkedArguments: Sendable, Hashable {
  enum Kind: String, Sendable { case string, integer, boolean }

  struct Mark: Sendable, Hashable {
    /// The keys that lead to the argument.
    let path: [String]
    /// What follows `Mcp-Param-`.
    let name: String
    let kind: Kind
  }

  struct Fault: Error, Sendable, Hashable {
    let reason: String
  }

  static let headerPrefix = "Mcp-Param-"
  /// Integers beyond are not the same to all that read JSON.
  static let safeIntegers = -(1 << 53) + 1...(1 << 53) - 1

  private(set) var marks: [Mark] = []

  /// The marks of a schema. A fault is in how it marks, not in the schema.
  static func of(_ schema: JSONValue) -> Result<MarkedArguments, Fault> {
    var found = MarkedArguments()
    do throws(Fault) {
      try found.walk(schema, path: [], isReachable: true, depth: 0)
      return .success(found)
    } catch {
      return .failure(error)
    }
  }

  private static let schemas: Set = [
    "items", "additionalItems", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "not", "if", "then", "else",
  ]
  private static let listsOfSchemas: Set = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
  private static let mapsOfSchemas: Set = ["$defs", "definitions", "patternProperties", "dependentSchemas"]

  private mutating func walk(_ schema: JSONValue, path: [String], isReachable: Bool, depth: Int) throws(Fault) {
    guard case .object(let object) = schema, depth < 128 else { return }
    if let mark = object["x-mcp-header"] { try add(mark, of: object, path, isReachable) }
    for (key, value) in object {
      if key == "properties", case .object(let properties) = value {
        for (name, property) in properties {
          try walk(property, path: path + [name], isReachable: isReachable, depth: depth + 1)
        }
      } else if Self.mapsOfSchemas.contains(key), case .object(let map) = value {
        for (_, inner) in map { try walk(inner, path: [], isReachable: false, depth: depth + 1) }
      } else if Self.listsOfSchemas.contains(key), case .array(let list) = value {
        for inner in list { try walk(inner, path: [], isReachable: false, depth: depth + 1) }
      } else if Self.schemas.contains(key) {
        try walk(value, path: [], isReachable: false, depth: depth + 1)
      }
    }
  }

  private mutating func add(
    _ mark: JSONValue, of schema: JSONObject, _ path: [String], _ isReachable: Bool
  ) throws(Fault) {
    guard let name = mark.stringValue, !name.isEmpty, name.utf8.allSatisfy(HeaderText.isTokenByte) else {
      throw Fault(reason: "`x-mcp-header` is no name that a header can have")
    }
    guard isReachable, !path.isEmpty else {
      throw Fault(reason: "`x-mcp-header` \"\(name)\" is not on a property that is always at one place")
    }
    let types = schema["type"].map { $0.arrayValue ?? [$0] } ?? []
    let kinds = types.filter { $0 != "null" }
    guard kinds.count == 1, let kind = kinds[0].stringValue.flatMap(Kind.init(rawValue:)) else {
      throw Fault(reason: "`x-mcp-header` \"\(name)\" is on a property that is no string, integer or boolean")
    }
    guard !marks.contains(where: { HeaderText.areSame($0.name, name) }) else {
      throw Fault(reason: "`x-mcp-header` \"\(name)\" is there twice")
    }
    marks.append(Mark(path: path, name: name, kind: kind))
  }

  /// The headers of a call. An argument that is absent or null has none.
  func headers(for arguments: JSONObject) throws(MCPError) -> [(String, String)] {
    var headers: [(String, String)] = []
    for mark in marks {
      guard let value = Self.value(at: mark.path, in: arguments) else { continue }
      guard let text = Self.text(value, mark.kind) else {
        throw MCPError(
          .invalidArguments, "the argument `\(mark.path.joined(separator: "."))` must be a \(mark.kind.rawValue)")
      }
      headers.append((Self.headerPrefix + mark.name, HeaderText.encoded(text)))
    }
    return headers
  }

  static func value(at path: [String], in arguments: JSONObject) -> JSONValue? {
    var value = JSONValue.object(arguments)
    for key in path {
      guard let next = value[key], !next.isNull else { return nil }
      value = next
    }
    return value
  }

  static func text(_ value: JSONValue, _ kind: Kind) -> String? {
    switch kind {
    case .string: value.stringValue
    case .integer: value.intValue.flatMap { safeIntegers.contains($0) ? String($0) : nil }
    case .boolean: value.boolValue.map { $0 ? "true" : "false" }
    }
  }
}
