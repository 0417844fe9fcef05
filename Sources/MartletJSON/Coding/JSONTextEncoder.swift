/// Encodes Swift values as JSON text, or as a `JSONValue`.
///
/// Keys stand in the order in which the types encode them, so equal values give equal bytes in every process (but
/// `Dictionary` and `Set` have no order of their own: use `.canonical` style or `JSONObject`).
///
/// - A `Double` is written as the shortest text that reads back the same: 3 is `3.0`. NaN and the infinities are an
///   `EncodingError`.
/// - `Data` is written as base64, `URL` as a string, `Decimal` as a number, `Date` as `dates` says.
/// - Keys are taken as they stand: there is no conversion to or from snake case.
/// - A `JSONValue`, `JSONObject` or `JSONNumber` anywhere inside is taken over as it is.
public struct JSONTextEncoder: Sendable {
  /// How the text looks.
  public var style: JSONWriter.Style
  /// How a `Date` looks.
  public var dates: JSONDateStrategy
  /// Handed to the types as `Encoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// An encoder; by default the text is compact and dates are RFC 3339.
  public init(
    style: JSONWriter.Style = .compact, dates: JSONDateStrategy = .rfc3339,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.style = style
    self.dates = dates
    self.userInfo = userInfo
  }

  /// The JSON text of a value in UTF-8. Throws `EncodingError`, and what the type's own `encode(to:)` throws.
  public func encode(_ value: some Encodable) throws -> [UInt8] {
    try JSONWriter.write(self.value(value), style)
  }

  /// The JSON text of a value.
  public func text(_ value: some Encodable) throws -> String {
    try self.value(value).text(style)
  }

  /// The JSON value of a value, without any text between.
  public func value(_ value: some Encodable) throws -> JSONValue {
    try JSONValueEncoder(options: self, parent: nil, key: nil).encoded(value)
  }
}

extension JSONValue {
  /// Encodes a value with a `JSONTextEncoder` of the default settings.
  public init(encoding value: some Encodable) throws {
    self = try JSONTextEncoder().value(value)
  }
}
