extension JSONValue: Codable {
  /// Takes the value over as it is from a `JSONTextDecoder`; from any other decoder it is put together from what that
  /// offers, where numbers and the order of keys may already be changed.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = decoder.value
    } else {
      self = try Self.foreign(decoder)
    }
  }

  // A foreign decoder tells the kind of a value only by refusing the others, so those refusals are no errors.
  private static func foreign(_ decoder: any Decoder) throws -> JSONValue {
    if let container = try? decoder.singleValueContainer() {
      if container.decodeNil() { return .null }
      if let value = try? container.decode(Bool.self) { return .bool(value) }
      if let value = try? container.decode(Int64.self) { return JSONValue(value) }
      if let value = try? container.decode(UInt64.self) { return JSONValue(value) }
      if let value = try? container.decode(Double.self), let number = JSONNumber(value) { return .number(number) }
      if let value = try? container.decode(String.self) { return .string(value) }
    }
    if let container = try? decoder.container(keyedBy: JSONPathKey.self) {
      var object = JSONObject()
      for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
      return .object(object)
    }
    var container = try decoder.unkeyedContainer()
    var elements: [JSONValue] = []
    while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
    return .array(elements)
  }

  /// Hands the value over as it is to a `JSONTextEncoder`; to any other encoder in the terms that it has, a number as
  /// an integer where it is one and as the nearest `Double` otherwise.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONValueEncoder {
      encoder.set(self)
      return
    }
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .string(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let integer = number.integer(as: Int64.self) {
        try container.encode(integer)
      } else if let integer = number.integer(as: UInt64.self) {
        try container.encode(integer)
      } else {
        try container.encode(number.double)
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let object):
      var container = encoder.container(keyedBy: JSONPathKey.self)
      for (key, value) in object { try container.encode(value, forKey: JSONPathKey(stringValue: key)) }
    }
  }
}

extension JSONObject: Codable {
  /// As for `JSONValue`; anything but an object is a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Expected an object."))
    }
    self = object
  }

  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(self).encode(to: encoder)
  }
}

extension JSONNumber: Codable {
  /// As for `JSONValue`; anything but a number is a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONNumber.self,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Expected a number."))
    }
    self = number
  }

  public func encode(to encoder: any Encoder) throws {
    try JSONValue.number(self).encode(to: encoder)
  }
}
