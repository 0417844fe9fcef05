/// A list of as many elements as are asked for; one, to those who read until its end.
struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
  let deriver: SchemaDeriver
  let record: ShapeRecord

  var codingPath: [any CodingKey] { [] }
  var currentIndex: Int { record.count }
  var count: Int? {
    record.asksForEnd = true
    return nil
  }
  /// One element shows what all are like.
  var isAtEnd: Bool {
    record.asksForEnd = true
    return record.count > 0
  }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try deriver.within("[\(record.count)]") {
      let (shape, value) = try deriver.record(type, needsValue: true)
      record.append(.shape(shape))
      guard let value else { throw deriver.failure("there is no sample value of \(type)") }
      return value
    }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { nested() }

  private func nested() -> RecordingDecoder {
    let inner = ShapeRecord()
    record.append(.record(inner))
    return RecordingDecoder(deriver: deriver, record: inner)
  }
}
