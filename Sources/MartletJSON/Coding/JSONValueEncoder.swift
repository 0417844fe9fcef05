/// The `Encoder` of one value, the place where the value grows, and the link to the values around it.
///
/// Also the single value container. Nested containers and super encoders are encoders of their own, put in their
/// places when the value around them is done.
final class JSONValueEncoder: Encoder, SingleValueEncodingContainer {
  private enum Kind { case nothing, single, array, object }

  let options: JSONTextEncoder
  private let parent: JSONValueEncoder?
  private var key: (any CodingKey)?
  private let depth: Int

  private var kind = Kind.nothing
  private var single = JSONValue.null
  private var elements: [JSONValue] = []
  private var object = JSONObject()
  /// An encoder of a value inside that is done, to be used for the next one.
  private var spare: JSONValueEncoder?
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
    object.reserveCapacity(8)
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

  /// Moves out the finished value; `nil` when nothing was encoded.
  private func finish() -> JSONValue? {
    defer { kind = .nothing }
    switch kind {
    case .nothing: return nil
    case .single: return exchange(&single, .null)
    case .array:
      for (index, encoder) in exchange(&pendingElements, []) { elements[index] = encoder.finish() ?? .object([:]) }
      return .array(exchange(&elements, []))
    case .object:
      for (key, encoder) in exchange(&pendingMembers, []) { object[key] = encoder.finish() ?? .object([:]) }
      return .object(exchange(&object, JSONObject()))
    }
  }

  private func exchange<Value>(_ place: inout Value, _ value: Value) -> Value {
    var value = value
    swap(&place, &value)
    return value
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
    object[key.stringValue] = JSONValue.null
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
    // In functions of their own, so that their frames are gone when a nested value takes its turn on the stack.
    if let scalar = try commonScalar(value, key) { return scalar }
    if let scalar = try rareScalar(value, key) { return scalar }
    return try nested(value, key)
  }

  private func nested<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws -> JSONValue {
    guard depth < JSONReader.Options.defaultDepth else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: [], debugDescription: "The value nests too deeply, or in a circle."))
    }
    var encoder = exchange(&spare, nil) ?? JSONValueEncoder(options: options, parent: self, key: nil)
    encoder.key = key
    try value.encode(to: encoder)
    let result = encoder.finish() ?? .object([:])
    if isKnownUniquelyReferenced(&encoder) { spare = encoder }
    return result
  }
}
