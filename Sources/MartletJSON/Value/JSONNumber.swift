/// A JSON number that keeps the text it was written as.
///
/// `3`, `3.0` and `3e0` are equal and hash alike, because equality is by exact decimal value; only `text` tells them
/// apart. No digit is lost: `18446744073709551615` and `0.1000000000000000000001` survive a round trip.
public struct JSONNumber: Sendable {
  /// `integer` holds exactly the numbers whose text is what `Int64.description` would print, so the text needs no room.
  enum Storage: Sendable {
    case integer(Int64)
    case text(String)
  }

  let storage: Storage

  init(storage: Storage) {
    self.storage = storage
  }

  /// A number from text that is one.
  init(validText bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let value = Int64(text), value != 0 || text == "0" {
      storage = .integer(value)
    } else {
      storage = .text(text)
    }
  }

  /// An exact integer.
  public init(_ value: some BinaryInteger) {
    if let small = Int64(exactly: value) {
      storage = .integer(small)
    } else {
      storage = .text(String(value))
    }
  }

  /// The shortest text that reads back as `value`: `3.0` for 3, `1e-07` for a ten-millionth. `nil` for NaN and the
  /// infinities, which JSON cannot express.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    storage = .text(value.description)
  }

  /// The shortest text that reads back as `value`. `nil` for NaN and the infinities.
  public init?(_ value: Float) {
    guard value.isFinite else { return nil }
    storage = .text(value.description)
  }

  /// A number from JSON text, kept as it stands. `nil` unless the whole text is one number by RFC 8259, section 6: no
  /// sign `+`, no leading zero, no bare point, no surrounding space.
  public init?(text: String) {
    guard let value = try? JSONValue(parsing: text), case .number(let number) = value, number.text == text else {
      return nil
    }
    self = number
  }

  /// The number as it was written.
  public var text: String {
    switch storage {
    case .integer(let value): value.description
    case .text(let text): text
    }
  }

  /// The number when it is an integer that `Int` holds: `3`, `3.0` and `30e-1` are; `3.5` and `1e30` are `nil`.
  public var int: Int? { integer(as: Int.self) }

  /// The number as any integer type, when it is an integer that the type holds.
  public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
    switch storage {
    case .integer(let value): Integer(exactly: value)
    case .text(let text): JSONDecimal(text).integer(as: type)
    }
  }

  /// The nearest double. Beyond the range of `Double` an infinity, as IEEE 754 rounds it.
  public var double: Double {
    switch storage {
    case .integer(let value): Double(value)
    case .text(let text): Double(text) ?? .nan
    }
  }
}

extension JSONNumber: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.storage, right.storage) {
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)) where left == right: true
    default: JSONDecimal(left.text) == JSONDecimal(right.text)
    }
  }

  public func hash(into hasher: inout Hasher) {
    if let small = integer(as: Int64.self) {
      hasher.combine(small)
    } else {
      hasher.combine(JSONDecimal(text))
    }
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int64) {
    storage = .integer(value)
  }

  /// Traps when the literal is beyond the range of `Double`.
  public init(floatLiteral value: Double) {
    precondition(value.isFinite, "the literal is beyond the range of Double")
    storage = .text(value.description)
  }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { text }
}
