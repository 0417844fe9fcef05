#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONValueEncoder {
  /// The JSON value of the scalars that are met the most; `nil` for all else.
  @inline(__always)
  func commonScalar<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws -> JSONValue? {
    if T.self == String.self { return .string(same(value)) }
    if T.self == Bool.self { return .bool(same(value)) }
    if T.self == Int.self { return .number(JSONNumber(same(value) as Int)) }
    if T.self == Double.self {
      guard let number = JSONNumber(same(value) as Double) else { throw notFinite(value, key) }
      return .number(number)
    }
    if T.self == JSONValue.self { return same(value) as JSONValue }
    return nil
  }

  /// The JSON value of the other types that have a form of their own; `nil` for all else.
  func rareScalar<T: Encodable>(_ value: T, _ key: (any CodingKey)?) throws -> JSONValue? {
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
    return nil
  }

  /// `value` as what it is: the caller has compared the types.
  @inline(__always)
  private func same<T, Value>(_ value: T) -> Value {
    unsafeBitCast(value, to: Value.self)
  }

  private func encoded(date: Date, _ key: (any CodingKey)?) throws -> JSONValue {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    // The error holds the seconds, because Foundation traps when it describes a date that is not finite.
    guard let exact = Int64(exactly: milliseconds) else { throw notFinite(date.timeIntervalSince1970, key) }
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
    invalid(value, "JSON has no form for NaN or an infinity.", key)
  }

  private func invalid(_ value: some Encodable, _ reason: String, _ key: (any CodingKey)?) -> EncodingError {
    let path = key.map { codingPath + [$0] } ?? codingPath
    return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
  }
}
