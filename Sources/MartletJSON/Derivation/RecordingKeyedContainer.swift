/// Answers with a sample value for each key that is asked for, and with none where there may be none.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let deriver: SchemaDeriver
  let record: ShapeRecord

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    record.asksForKeys = true
    return []
  }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let isOptional = type is any OptionalShape.Type
    return try deriver.within(key.stringValue) {
      let (shape, value) = try deriver.record(type, needsValue: !isOptional)
      record.add(key.stringValue, .shape(shape), isRequired: !isOptional)
      guard let value else { throw deriver.failure("there is no sample value of \(type)") }
      return value
    }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try absent(type, key) }

  // The standard library has default implementations of these, which would ask for a value.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try absent(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try absent(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try absent(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try absent(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try absent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try absent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try absent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try absent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try absent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try absent(type, key) }

  private func absent<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    try deriver.within(key.stringValue) {
      record.add(key.stringValue, .shape(try deriver.shape(of: type)), isRequired: false)
      return nil
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key.stringValue).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { nested("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key.stringValue) }

  private func nested(_ name: String) -> RecordingDecoder {
    let inner = ShapeRecord()
    record.add(name, .record(inner), isRequired: true)
    return RecordingDecoder(deriver: deriver, record: inner)
  }
}
