public import MartletJSON

/// What a request and its reply are matched by: an integer or a text, never both at once.
public enum MCPRequestID: Sendable, Hashable, CustomStringConvertible {
  /// An integer.
  case integer(Int64)
  /// A text.
  case string(String)

  /// An id from JSON; nil for anything but an integer and a text.
  public init?(json: JSONValue) {
    switch json {
    case .string(let text): self = .string(text)
    case .number(let number):
      guard let integer = number.integer(as: Int64.self) else { return nil }
      self = .integer(integer)
    default: return nil
    }
  }

  /// The id as JSON, of the same type.
  public var json: JSONValue {
    switch self {
    case .integer(let value): JSONValue(value)
    case .string(let text): .string(text)
    }
  }

  public var description: String {
    switch self {
    case .integer(let value): value.description
    case .string(let text): "\"\(text)\""
    }
  }
}

extension MCPRequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}
