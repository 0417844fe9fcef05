#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `Encoder` of one value, the place where the value grows, and the link to the values around it.
///
/// Also the single value container. Nested containers and super encoders are encoders of their own, put in their
/// places when the value around them is done.
final class JSONValueEncoder: Encoder, SingleValueEncodingContainer {
  private enum Kind { case nothing, single, array, object }

  let options: JSONTextEncoder
  private let parent: JSONValueEncoder?
  private let key: (any CodingKey)?
  private let depth: Int

  private var kind = Kind.nothing
  private var single = JSONValue.null
  private var elements: [JSONValue] = []
  private var object = JSONObject()
  private var pendingElements: [(index: Int, encoder: JSONValueEncoder)] = []
  private var pendingMembers: [(key: String, encoder: JSONValueEncoder)] = []

  init(options: JSONTextEncoder, parent: JSONValueEncoder?, key: (any CodingKey)?) {
    self.options = options
    self.parent = parent
    self.key = key
    depth = parent.map { $0.depth + 1 } ?? 0
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var node: JSONValueEncoder? = self
    while let current = node {
      if let key = current.key { path.append(key) }
      node = current.parent
    }
    return path.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(JSONKeyedEncodingContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return JSONUnkeyedEncodingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {
    set(.null)
  }

  func encode<T: Encodable>(_ value: T) throws {
    set(try encoded(value, nil))
  }

  /// Takes over a value as it is.
  func set(_ value: JSONValue) {
    begin(.single)
    single = value
  }

  private func begin(_ kind: Kind) {
    precondition(
      self.kind == .nothing || self.kind == kind, "a value encodes itself in two different kinds of container")
    self.kind = kind
  }

  /// The finished value; `nil` when nothing was encoded.
  private func finish() -> JSONValue? {
    switch kind {
    case .nothing: return nil
    case .single: return single
    case .array:
      for (index, encoder) in pendingElements { elements[index] = encoder.finish() ?? .object([:]) }
      return .array(elements)
    case .object:
      for (key, encoder) in pendingMembers { object[key] = encoder.finish() ?? .object([:]) }
      return .object(object)
    }
  }
}

extension JSONValueEncoder {
  var count: Int { elements.count }

  func append(_ value: JSONValue) {
    elements.append(value)
  }

  func set(_ value: JSONValue, _ key: any CodingKey) {
    object[key.stringValue] = value
  }

  /// An encoder whose value will be the next element.
  func pendingElement() -> JSONValueEncoder {
    let encoder = JSONValueEncoder(options: options, parent: self, key: JSONPathKey(intValue: count))
    pendingElements.append((count, encoder))
    elements.append(.null)
    return encoder
  }

  /// An encoder whose value will be the member `key`.
  func pendingMember(_ key: any CodingKey) -> JSONValueEncoder {
    let encoder = JSONValueEncoder(options: options, parent: self, key: key)
    pendingMembers.append((key.stringValue, encoder))
    object[key.stringValue] = .null
    return encoder
  }
}

extension JSONValueEncoder {
  /// The value of a whole document.
  func encoded<T: Encodable>(_ value: T) throws -> JSONValue {
    try encode(value)
    return single
  }

  /// The JSON value of something inside this value. Every container's `encode` ends here, and is specialised for the
  /// standard library's scalars, so that all but one of the comparisons vanish.
  @inline(__always)
  func encoded<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws -> JSONValue {
    if T.self == String.self { return .string(same(value)) }
    if T.self == Bool.self { return .bool(same(value)) }
    if T.self == Int.self { return .number(JSONNumber(same(value) as Int)) }
    if T.self == Double.self {
      guard let number = JSONNumber(same(value) as Double) else { throw notFinite(value, key) }
      return .number(number)
    }
    if T.self == JSONValue.self { return same(value) }
    return try encodedRare(value, key)
  }

  private func encodedRare<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws -> JSONValue {
    if T.self == Int64.self { return .number(JSONNumber(same(value) as Int64)) }
    if T.self == UInt64.self { return .number(JSONNumber(same(value) as UInt64)) }
    if T.self == Int32.self { return .number(JSONNumber(same(value) as Int32)) }
    if T.self == UInt32.self { return .number(JSONNumber(same(value) as UInt32)) }
    if T.self == UInt.self { return .number(JSONNumber(same(value) as UInt)) }
    if T.self == UInt8.self { return .number(JSONNumber(same(value) as UInt8)) }
    if T.self == Int16.self { return .number(JSONNumber(same(value) as Int16)) }
    if T.self == UInt16.self { return .number(JSONNumber(same(value) as UInt16)) }
    if T.self == Int8.self { return .number(JSONNumber(same(value) as Int8)) }
    if #available(macOS 15, iOS 18, *) {
      if T.self == Int128.self { return .number(JSONNumber(same(value) as Int128)) }
      if T.self == UInt128.self { return .number(JSONNumber(same(value) as UInt128)) }
    }
    if T.self == Float.self {
      guard let number = JSONNumber(same(value) as Float) else { throw notFinite(value, key) }
      return .number(number)
    }
    if T.self == JSONObject.self { return .object(same(value)) }
    if T.self == JSONNumber.self { return .number(same(value)) }
    if T.self == Date.self { return try encoded(date: same(value), key) }
    if T.self == Data.self { return .string((same(value) as Data).base64EncodedString()) }
    if T.self == URL.self { return .string((same(value) as URL).absoluteString) }
    if T.self == Decimal.self {
      let decimal: Decimal = same(value)
      guard decimal.isFinite else { throw notFinite(value, key) }
      return .number(JSONNumber(storage: .text(decimal.description)))
    }
    let encoder = JSONValueEncoder(options: options, parent: self, key: key)
    guard encoder.depth <= JSONReader.Options.hardDepthLimit else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: [], debugDescription: "The value nests too deeply, or in a circle."))
    }
    try value.encode(to: encoder)
    return encoder.finish() ?? .object([:])
  }

  /// `value` as what it is: the caller has compared the types.
  @inline(__always)
  private func same<T, Value>(_ value: T) -> Value {
    unsafeBitCast(value, to: Value.self)
  }

  private func encoded(date: Date, _ key: (any CodingKey)?) throws -> JSONValue {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    guard let exact = Int64(exactly: milliseconds) else { throw notFinite(date, key) }
    switch options.dates {
    case .milliseconds: return .number(JSONNumber(exact))
    case .rfc3339:
      guard let text = RFC3339.text(milliseconds: exact) else {
        throw invalid(date, "RFC 3339 has no form for a time outside the years 0 to 9999.", key)
      }
      return .string(text)
    }
  }

  private func notFinite(_ value: some Encodable, _ key: (any CodingKey)?) -> EncodingError {
    invalid(value, "JSON has no form for \(value).", key)
  }

  private func invalid(_ value: some Encodable, _ reason: String, _ key: (any CodingKey)?) -> EncodingError {
    let path = key.map { codingPath + [$0] } ?? codingPath
    return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
  }
}
