/// Any JSON value.
///
/// Objects keep the order of their keys and numbers the text they were written as, so reading and writing gives the
/// same bytes again up to white space and the spelling of escapes. Equality ignores key order and number spelling
/// (`1.0` is `1`), and compares strings by code points, not by canonical equivalence.
///
/// ```swift
/// var request: JSONValue = ["city": "Oslo", "days": 3, "units": nil]
/// request["days"] = 4
/// request.text()  // {"city":"Oslo","days":4,"units":null}
/// ```
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, with its text.
  case number(JSONNumber)
  /// A string of Unicode scalars.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, in order.
  case object(JSONObject)
}

extension JSONValue: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0)
    case .bool(let value):
      hasher.combine(value ? 2 : 1)
    case .number(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(4)
      value.hashBytes(into: &hasher)
    case .array(let value):
      hasher.combine(5)
      hasher.combine(value)
    case .object(let value):
      hasher.combine(6)
      hasher.combine(value)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// Compact JSON text.
  public var description: String { text() }
}
