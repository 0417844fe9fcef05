package import MartletJSON

/// Typed access to the fields of a JSON object, with errors that name the field.
package struct JSONFields {
  package let object: JSONObject

  package init(_ value: JSONValue) throws {
    guard case .object(let object) = value else { throw JSONFormError(path: "", message: "an object is expected") }
    self.object = object
  }

  package subscript(key: String) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  private func required<T>(_ key: String, _ kind: String, _ read: (JSONValue) -> T?) throws -> T {
    guard let value = self[key] else { throw JSONFormError(path: key, message: "is missing") }
    guard let result = read(value) else { throw JSONFormError(path: key, message: "\(kind) is expected") }
    return result
  }

  private func optional<T>(_ key: String, _ kind: String, _ read: (JSONValue) -> T?) throws -> T? {
    guard let value = self[key] else { return nil }
    guard let result = read(value) else { throw JSONFormError(path: key, message: "\(kind) is expected") }
    return result
  }

  package func string(_ key: String) throws -> String { try required(key, "a string", \.stringValue) }
  package func int(_ key: String) throws -> Int { try required(key, "an integer", \.intValue) }
  package func double(_ key: String) throws -> Double { try required(key, "a number", \.doubleValue) }
  package func bool(_ key: String) throws -> Bool { try required(key, "a boolean", \.boolValue) }
  package func array(_ key: String) throws -> [JSONValue] { try required(key, "an array", \.arrayValue) }
  package func objectValue(_ key: String) throws -> JSONObject { try required(key, "an object", \.objectValue) }

  package func stringIfPresent(_ key: String) throws -> String? { try optional(key, "a string", \.stringValue) }
  package func intIfPresent(_ key: String) throws -> Int? { try optional(key, "an integer", \.intValue) }
  package func doubleIfPresent(_ key: String) throws -> Double? { try optional(key, "a number", \.doubleValue) }
  package func boolIfPresent(_ key: String) throws -> Bool? { try optional(key, "a boolean", \.boolValue) }
  package func arrayIfPresent(_ key: String) throws -> [JSONValue]? { try optional(key, "an array", \.arrayValue) }
  package func objectIfPresent(_ key: String) throws -> JSONObject? { try optional(key, "an object", \.objectValue) }

  package func value<T: JSONConvertible>(_ key: String, as type: T.Type = T.self) throws -> T {
    guard let value = self[key] else { throw JSONFormError(path: key, message: "is missing") }
    return try Self.nested(key) { try T(json: value) }
  }

  package func valueIfPresent<T: JSONConvertible>(_ key: String, as type: T.Type = T.self) throws -> T? {
    guard let value = self[key] else { return nil }
    return try Self.nested(key) { try T(json: value) }
  }

  package func values<T: JSONConvertible>(_ key: String, of type: T.Type = T.self) throws -> [T] {
    try (arrayIfPresent(key) ?? []).enumerated().map { index, value in
      try Self.nested("\(key)[\(index)]") { try T(json: value) }
    }
  }

  package func ints(_ key: String) throws -> [Int] {
    try (arrayIfPresent(key) ?? []).enumerated().map { index, value in
      guard let number = value.intValue else {
        throw JSONFormError(path: "\(key)[\(index)]", message: "an integer is expected")
      }
      return number
    }
  }

  package func strings(_ key: String) throws -> [String] {
    try (arrayIfPresent(key) ?? []).enumerated().map { index, value in
      guard let text = value.stringValue else {
        throw JSONFormError(path: "\(key)[\(index)]", message: "a string is expected")
      }
      return text
    }
  }

  private static func nested<T>(_ key: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as JSONFormError { throw error.nested(in: key) }
  }
}

extension JSONObject {
  /// Sets `key` unless the value is absent; absent fields are left out rather than written as null.
  package mutating func set(_ key: String, _ value: JSONValue?) {
    if let value { self[key] = value }
  }
}
