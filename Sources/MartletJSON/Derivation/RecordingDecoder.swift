/// A decoder that answers with sample values and writes down what it was asked for.
struct RecordingDecoder: Decoder {
  let deriver: SchemaDeriver
  let record: ShapeRecord

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingKeyedContainer<Key>(deriver: deriver, record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    record.openList()
    return RecordingUnkeyedContainer(deriver: deriver, record: record)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RecordingSingleValueContainer(deriver: deriver, record: record)
  }
}

struct RecordingSingleValueContainer: SingleValueDecodingContainer {
  let deriver: SchemaDeriver
  let record: ShapeRecord

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (shape, value) = try deriver.record(type, needsValue: true)
    record.set(shape)
    guard let value else { throw deriver.failure("there is no sample value of \(type)") }
    return value
  }
}
