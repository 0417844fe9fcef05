/// Decodes Swift values from JSON text, or from a `JSONValue`.
///
/// - A number reads as an integer type only when it is exactly one that the type holds: `3`, `3.0` and `3e0` are 3,
///   `3.5` is an error. Every digit of `Int64`, `UInt64` and `Decimal` counts. A number beyond the range of `Double`
///   or `Float` is an error.
/// - `Data` reads from base64, `URL` from a string, `Date` as `dates` says.
/// - Keys are taken as they stand: there is no conversion to or from snake case.
/// - A `JSONValue`, `JSONObject` or `JSONNumber` anywhere inside is handed over as it is.
///
/// Errors are `JSONError` for a text that is no JSON and `DecodingError`, with the path to the value, for JSON that
/// does not fit the type.
public struct JSONTextDecoder: Sendable {
  /// How the text is read.
  public var reader: JSONReader.Options
  /// How a `Date` looks.
  public var dates: JSONDateStrategy
  /// Handed to the types as `Decoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// A decoder; by default dates are RFC 3339.
  public init(
    reader: JSONReader.Options = .init(), dates: JSONDateStrategy = .rfc3339,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.reader = reader
    self.dates = dates
    self.userInfo = userInfo
  }

  /// Decodes a JSON text in UTF-8: an array of bytes, a `Data`, a slice of either.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from bytes: some Sequence<UInt8>) throws -> T {
    try decode(type, from: JSONReader(options: reader).read(bytes))
  }

  /// Decodes a JSON text.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from text: String) throws -> T {
    try decode(type, from: JSONReader(options: reader).read(text))
  }

  /// Decodes a value that is read already.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from value: JSONValue) throws -> T {
    try JSONValueDecoder(value, options: self, parent: nil, key: nil).decode(type)
  }
}

extension JSONValue {
  /// Decodes this value with a `JSONTextDecoder` of the default settings.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    try JSONTextDecoder().decode(type, from: self)
  }
}
