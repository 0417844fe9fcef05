#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    if type == String.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      return same(string)
    }
    if type == Bool.self {
      guard case .bool(let bool) = value else { throw mismatch(type, value, key) }
      return same(bool)
    }
    if type == Int.self { return same(try integer(Int.self, value, key)) }
    if type == Double.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      let double = number.double
      guard double.isFinite else { throw outOfRange(type, number, key) }
      return same(double)
    }
    if type == JSONValue.self { return same(value) }
    return try decodeRare(type, value, key)
  }

  private func decodeRare<T: Decodable>(_ type: T.Type, _ value: JSONValue, _ key: (any CodingKey)?) throws -> T {
    if type == Int64.self { return same(try integer(Int64.self, value, key)) }
    if type == UInt64.self { return same(try integer(UInt64.self, value, key)) }
    if type == Int32.self { return same(try integer(Int32.self, value, key)) }
    if type == UInt32.self { return same(try integer(UInt32.self, value, key)) }
    if type == UInt.self { return same(try integer(UInt.self, value, key)) }
    if type == UInt8.self { return same(try integer(UInt8.self, value, key)) }
    if type == Int16.self { return same(try integer(Int16.self, value, key)) }
    if type == UInt16.self { return same(try integer(UInt16.self, value, key)) }
    if type == Int8.self { return same(try integer(Int8.self, value, key)) }
    if #available(macOS 15, iOS 18, *) {
      if type == Int128.self { return same(try integer(Int128.self, value, key)) }
      if type == UInt128.self { return same(try integer(UInt128.self, value, key)) }
    }
    if type == Float.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      guard let float = Float(number.text), float.isFinite else { throw outOfRange(type, number, key) }
      return same(float)
    }
    if type == JSONObject.self {
      guard case .object(let object) = value else { throw mismatch(type, value, key) }
      return same(object)
    }
    if type == JSONNumber.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      return same(number)
    }
    if type == Date.self { return same(try date(value, key)) }
    if type == Data.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      guard let data = Data(base64Encoded: string) else { throw corrupted("The string is not base64.", key) }
      return same(data)
    }
    if type == URL.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      guard let url = URL(string: string) else { throw corrupted("The string is not a URL.", key) }
      return same(url)
    }
    if type == Decimal.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      guard let decimal = Decimal(string: number.text) else { throw outOfRange(type, number, key) }
      return same(decimal)
    }
    guard let key else { return try T(from: self) }
    return try T(from: child(value, key))
  }

  /// `value` as what it is: the caller has compared the types.
  @inline(__always)
  private func same<Value, T>(_ value: Value) -> T {
    unsafeBitCast(value, to: T.self)
  }

  private func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ value: JSONValue, _ key: (any CodingKey)?
  ) throws -> Integer {
    guard case .number(let number) = value else { throw mismatch(type, value, key) }
    guard let integer = number.integer(as: type) else { throw outOfRange(type, number, key) }
    return integer
  }

  private func date(_ value: JSONValue, _ key: (any CodingKey)?) throws -> Date {
    switch (options.dates, value) {
    case (.rfc3339, .string(let string)):
      guard let (seconds, nanoseconds) = RFC3339.parse(string) else {
        throw corrupted("The string is not an RFC 3339 time.", key)
      }
      return Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
    case (.milliseconds, .number(let number)):
      guard number.double.isFinite else { throw outOfRange(Date.self, number, key) }
      return Date(timeIntervalSince1970: number.double / 1_000)
    default: throw mismatch(Date.self, value, key)
    }
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
