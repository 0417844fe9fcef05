#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Parameter: Codable {
  /// Decodes the bare value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let value: Value
    if let type = Value.self as? any DateParameter.Type, let date = try type.decoded(from: container) as? Value {
      value = date
    } else {
      value = try container.decode(Value.self)
    }
    self.init(value: value, text: "", hasDefault: false)
  }

  /// Encodes the bare value.
  /// - Throws: `EncodingError` if the argument is required and was never set.
  public func encode(to encoder: any Encoder) throws {
    guard let stored else {
      throw EncodingError.invalidValue(
        self,
        .init(codingPath: encoder.codingPath, debugDescription: "The argument \"\(text)\" was never given a value."))
    }
    var container = encoder.singleValueContainer()
    if let date = stored as? any DateParameter {
      try container.encode(date.text(isDateOnly: rules["format"] == "date"))
    } else {
      try container.encode(stored)
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional argument; nil if its key is absent.
  public func decode<Wrapped>(
    _ type: Parameter<Wrapped?>.Type, forKey key: Key
  ) throws -> Parameter<Wrapped?> {
    try decodeIfPresent(type, forKey: key) ?? Parameter(value: nil, text: "", hasDefault: false)
  }
}

extension KeyedEncodingContainer {
  /// Encodes an optional argument; leaves its key out if it is nil.
  public mutating func encode<Wrapped>(_ value: Parameter<Wrapped?>, forKey key: Key) throws {
    // A template is encoded for what it says about its arguments, nil or not.
    let isTemplate = codingPath.first is TemplateEncoder.Marker
    if case .some(.some) = value.stored {
      try encodeIfPresent(value, forKey: key)
    } else if isTemplate {
      try encodeIfPresent(value, forKey: key)
    }
  }
}

/// `Date` and `Date?`, which every decoder reads in a way of its own; arguments are RFC 3339 texts everywhere.
protocol DateParameter {
  static func decoded(from container: any SingleValueDecodingContainer) throws -> Self
  func text(isDateOnly: Bool) throws -> String?
}

extension Date: DateParameter {
  static func decoded(from container: any SingleValueDecodingContainer) throws -> Date {
    let text = try container.decode(String.self)
    guard let time = RFC3339.parse(text) ?? RFC3339.parse(text + "T00:00:00Z") else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a date such as 2026-11-30 or 2026-11-30T09:30:00Z.")
    }
    return Date(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
  }

  func text(isDateOnly: Bool) throws -> String? {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    guard milliseconds.magnitude < 1e18, let text = RFC3339.text(milliseconds: Int64(milliseconds)) else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: [], debugDescription: "The date is outside the years 0 to 9999."))
    }
    return isDateOnly ? String(text.prefix(10)) : text
  }
}

extension Optional: DateParameter where Wrapped: DateParameter {
  static func decoded(from container: any SingleValueDecodingContainer) throws -> Wrapped? {
    container.decodeNil() ? nil : try Wrapped.decoded(from: container)
  }

  func text(isDateOnly: Bool) throws -> String? { try self?.text(isDateOnly: isDateOnly) }
}
