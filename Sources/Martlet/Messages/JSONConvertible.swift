public import MartletJSON

/// A value with one explicit JSON form, used by the log, the wire of the server and `Codable` alike.
///
/// `Codable` conformance comes with it and goes through the same form, so there is no second encoding to keep in step.
public protocol JSONConvertible: Codable, Sendable {
  /// Reads the value's JSON form. Unknown fields are ignored here; whoever keeps a document keeps them.
  /// - Throws: `JSONFormError` naming the field that is missing or of the wrong kind.
  init(json: JSONValue) throws
  /// The value's JSON form, with a fixed key order.
  var json: JSONValue { get }
}

extension JSONConvertible {
  public init(from decoder: any Decoder) throws {
    try self.init(json: JSONValue(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}

/// Open and closed sets of words are JSON strings.
extension JSONConvertible where Self: RawRepresentable, RawValue == String {
  public init(json: JSONValue) throws {
    guard let text = json.stringValue else { throw JSONFormError(path: "", message: "a string is expected") }
    guard let value = Self(rawValue: text) else {
      throw JSONFormError(path: "", message: "is not one of the words that are known")
    }
    self = value
  }

  public var json: JSONValue { .string(rawValue) }

  public init(from decoder: any Decoder) throws {
    try self.init(json: JSONValue(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}
