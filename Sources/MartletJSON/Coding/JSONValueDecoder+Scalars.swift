#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONValueDecoder {
  /// The types that are met the most; `nil` for all else.
  @inline(__always)
  func commonScalar<T: Decodable>(_ type: T.Type, _ value: JSONValue, _ key: (any CodingKey)?) throws -> T? {
    if type == String.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      return same(string) as T
    }
    if type == Bool.self {
      guard case .bool(let bool) = value else { throw mismatch(type, value, key) }
      return same(bool) as T
    }
    if type == Int.self { return same(try integer(Int.self, value, key)) as T }
    if type == Double.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      let double = number.double
      guard double.isFinite else { throw outOfRange(type, number, key) }
      return same(double) as T
    }
    if type == JSONValue.self { return same(value) as T }
    return nil
  }

  /// The other types that have a form of their own in JSON; `nil` for all else.
  func rareScalar<T: Decodable>(_ type: T.Type, _ value: JSONValue, _ key: (any CodingKey)?) throws -> T? {
    if type == Int64.self { return same(try integer(Int64.self, value, key)) as T }
    if type == UInt64.self { return same(try integer(UInt64.self, value, key)) as T }
    if type == Int32.self { return same(try integer(Int32.self, value, key)) as T }
    if type == UInt32.self { return same(try integer(UInt32.self, value, key)) as T }
    if type == UInt.self { return same(try integer(UInt.self, value, key)) as T }
    if type == UInt8.self { return same(try integer(UInt8.self, value, key)) as T }
    if type == Int16.self { return same(try integer(Int16.self, value, key)) as T }
    if type == UInt16.self { return same(try integer(UInt16.self, value, key)) as T }
    if type == Int8.self { return same(try integer(Int8.self, value, key)) as T }
    if #available(macOS 15, iOS 18, *) {
      if type == Int128.self { return same(try integer(Int128.self, value, key)) as T }
      if type == UInt128.self { return same(try integer(UInt128.self, value, key)) as T }
    }
    if type == Float.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      guard let float = Float(number.text), float.isFinite else { throw outOfRange(type, number, key) }
      return same(float) as T
    }
    if type == JSONObject.self {
      guard case .object(let object) = value else { throw mismatch(type, value, key) }
      return same(object) as T
    }
    if type == JSONNumber.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      return same(number) as T
    }
    if type == Date.self { return same(try date(value, key)) as T }
    if type == Data.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      guard let data = Data(base64Encoded: string) else { throw corrupted("The string is not base64.", key) }
      return same(data) as T
    }
    if type == URL.self {
      guard case .string(let string) = value else { throw mismatch(type, value, key) }
      guard let url = URL(string: string) else { throw corrupted("The string is not a URL.", key) }
      return same(url) as T
    }
    if type == Decimal.self {
      guard case .number(let number) = value else { throw mismatch(type, value, key) }
      guard let decimal = Decimal(string: number.text) else { throw outOfRange(type, number, key) }
      return same(decimal) as T
    }
    return nil
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
