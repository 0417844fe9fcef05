/// A `true`, `false` or `null` that is not whole yet.
struct PartialLiteral: Sendable {
  private let text: StaticString
  private let value: JSONValue
  private var matched = 0

  init(first: UInt8 = UInt8(ascii: "n")) {
    switch first {
    case UInt8(ascii: "t"): (text, value) = ("true", .bool(true))
    case UInt8(ascii: "f"): (text, value) = ("false", .bool(false))
    default: (text, value) = ("null", .null)
    }
  }

  /// Reads on from `index`; the value when it is whole.
  mutating func consume(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, at base: Int
  ) throws(JSONFault) -> JSONValue? {
    while index < bytes.count {
      guard bytes[index] == text.utf8Start[matched] else { throw JSONFault(.unexpectedByte, base + index) }
      index += 1
      matched += 1
      if matched == text.utf8CodeUnitCount { return value }
    }
    return nil
  }
}
