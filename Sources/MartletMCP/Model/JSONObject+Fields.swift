import MartletJSON

/// Fields by type: one of another type reads as absent, and setting nil removes.
extension JSONObject {
  subscript(string key: String) -> String? {
    get { self[key]?.stringValue }
    set { self[key] = newValue.map { .string($0) } }
  }

  subscript(bool key: String) -> Bool? {
    get { self[key]?.boolValue }
    set { self[key] = newValue.map { .bool($0) } }
  }

  subscript(int key: String) -> Int? {
    get { self[key]?.intValue }
    set { self[key] = newValue.map { JSONValue($0) } }
  }

  /// NaN and the infinities cannot be set.
  subscript(double key: String) -> Double? {
    get { self[key]?.doubleValue }
    set { self[key] = newValue.flatMap { JSONValue($0) } }
  }

  subscript(object key: String) -> JSONObject? {
    get { self[key]?.objectValue }
    set { self[key] = newValue.map { .object($0) } }
  }

  subscript(strings key: String) -> [String] {
    get { (self[key]?.arrayValue ?? []).compactMap(\.stringValue) }
    set { self[key] = .array(newValue.map { .string($0) }) }
  }

  /// A milliseconds field. More than thirty thousand years are as many: a `Duration` can hold no number there is.
  subscript(milliseconds key: String) -> Duration? {
    get { self[key]?.doubleValue.map { .milliseconds(Swift.min(Swift.max($0, -1e15), 1e15)) } }
    set { self[key] = newValue.map { JSONValue($0.wholeMilliseconds) } }
  }

  subscript<Value: MCPObject>(view key: String) -> Value? {
    get { self[key].flatMap { try? Value(json: $0) } }  // absent when it is none, by design
    set { self[key] = newValue.map(\.json) }
  }

  /// Those elements of an array that can be read.
  subscript<Value: MCPObject>(views key: String) -> [Value] {
    get { (self[key]?.arrayValue ?? []).compactMap { try? Value(json: $0) } }
    set { self[key] = .array(newValue.map(\.json)) }
  }

  /// An object of the fields that are not nil.
  init(present fields: KeyValuePairs<String, JSONValue?>) {
    self.init()
    for (key, value) in fields { if let value { self[key] = value } }
  }
}

extension Duration {
  /// Rounded up, so that no time limit becomes shorter on the wire.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}

extension JSONValue {
  /// For literals of objects with optional fields: nil stays nil.
  static func text(_ value: String?) -> JSONValue? { value.map { .string($0) } }
  static func objects(_ values: [some MCPObject]) -> JSONValue { .array(values.map(\.json)) }
}
