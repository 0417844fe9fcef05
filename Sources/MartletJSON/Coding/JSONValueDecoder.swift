/// The `Decoder` over one value, and the link from it to the values around it.
///
/// Also the single value container. A class, because `any Decoder` would put a struct of this size in a box anyway.
final class JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let options: JSONTextDecoder
  private let parent: JSONValueDecoder?
  private let key: (any CodingKey)?

  init(_ value: JSONValue, options: JSONTextDecoder, parent: JSONValueDecoder?, key: (any CodingKey)?) {
    self.value = value
    self.options = options
    self.parent = parent
    self.key = key
  }

  func child(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
    JSONValueDecoder(value, options: options, parent: self, key: key)
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var node: JSONValueDecoder? = self
    while let current = node {
      if let key = current.key { path.append(key) }
      node = current.parent
    }
    return path.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch([String: JSONValue].self, value, nil) }
    return KeyedDecodingContainer(JSONKeyedDecodingContainer(object: object, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self, value, nil) }
    return JSONUnkeyedDecodingContainer(elements: elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decode(type, value, nil)
  }

  /// Decodes a value inside this one. Every container's `decode` ends here, and is specialised for the standard
  /// library's scalars, so that all but one of the comparisons vanish.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, _ value: JSONValue, _ key: (any CodingKey)?) throws -> T {
    // In functions of their own, so that their frames are gone when a nested value takes its turn on the stack.
    if let scalar = try commonScalar(type, value, key) { return scalar }
    if let scalar = try rareScalar(type, value, key) { return scalar }
    guard let key else { return try T(from: self) }
    return try T(from: child(value, key))
  }
}

extension JSONValueDecoder {
  func path(_ key: (any CodingKey)?) -> [any CodingKey] {
    key.map { codingPath + [$0] } ?? codingPath
  }

  func mismatch(_ type: any Any.Type, _ value: JSONValue, _ key: (any CodingKey)?) -> DecodingError {
    let found =
      switch value {
      case .null: "null"
      case .bool: "a truth value"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    let context = DecodingError.Context(
      codingPath: path(key), debugDescription: "Expected \(type) but found \(found).")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func outOfRange(_ type: any Any.Type, _ number: JSONNumber, _ key: (any CodingKey)?) -> DecodingError {
    corrupted("The number \(number.text.prefix(40)) does not fit in \(type).", key)
  }

  func corrupted(_ reason: String, _ key: (any CodingKey)?) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path(key), debugDescription: reason))
  }
}
