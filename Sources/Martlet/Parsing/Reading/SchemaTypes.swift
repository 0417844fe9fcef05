import MartletJSON

/// The JSON types that the schema of one parameter admits, as far as `type`, `enum`, `const`, `anyOf`, `oneOf`, `allOf`
/// and local `$ref`s tell.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: Int
  static let string = Self(rawValue: 1)
  static let number = Self(rawValue: 2)
  static let boolean = Self(rawValue: 4)
  static let null = Self(rawValue: 8)
  static let object = Self(rawValue: 16)
  static let array = Self(rawValue: 32)
  static let all: Self = [.string, .number, .boolean, .null, .object, .array]

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The types of a parameter of a tool; all when nothing is known of it.
  init(of parameter: String, in schema: JSONValue?) {
    guard let schema, let property = schema["properties"]?[parameter] else {
      self = .all
      return
    }
    self = Self.read(property, root: schema, depth: 0)
  }

  private static func read(_ schema: JSONValue, root: JSONValue, depth: Int) -> Self {
    guard depth < 8, case .object = schema else { return .all }
    if let pointer = schema["$ref"]?.stringValue {
      return resolve(pointer, root).map { read($0, root: root, depth: depth + 1) } ?? .all
    }
    var types = Self.all
    if let name = schema["type"]?.stringValue { types.formIntersection(Self(name)) }
    if let names = schema["type"]?.arrayValue {
      types.formIntersection(names.reduce(into: []) { $0.formUnion(Self($1.stringValue ?? "")) })
    }
    if let values = schema["enum"]?.arrayValue {
      types.formIntersection(values.reduce(into: []) { $0.formUnion(Self($1)) })
    }
    if let value = schema["const"] { types.formIntersection(Self(value)) }
    for key in ["anyOf", "oneOf"] {
      guard let choices = schema[key]?.arrayValue else { continue }
      types.formIntersection(choices.reduce(into: []) { $0.formUnion(read($1, root: root, depth: depth + 1)) })
    }
    for part in schema["allOf"]?.arrayValue ?? [] {
      types.formIntersection(read(part, root: root, depth: depth + 1))
    }
    return types.isEmpty ? .all : types
  }

  private static func resolve(_ pointer: String, _ root: JSONValue) -> JSONValue? {
    guard pointer.hasPrefix("#/") else { return nil }
    return pointer.dropFirst(2).split(separator: "/").reduce(root) { value, step in value?[String(step)] }
  }

  private init(_ name: String) {
    switch name {
    case "string": self = .string
    case "number", "integer": self = .number
    case "boolean": self = .boolean
    case "null": self = .null
    case "object": self = .object
    case "array": self = .array
    default: self = []
    }
  }

  private init(_ value: JSONValue) {
    switch value {
    case .string: self = .string
    case .number: self = .number
    case .bool: self = .boolean
    case .null: self = .null
    case .object: self = .object
    case .array: self = .array
    }
  }
}
