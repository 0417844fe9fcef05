/// The elements of an array being encoded.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() {
    encoder.append(.null)
  }

  // Stands for the requirement of each scalar type as well.
  func encode<T: Encodable>(_ value: T) throws {
    encoder.append(try encoder.encoded(value, JSONPathKey(intValue: count)))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.pendingElement().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.pendingElement().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.pendingElement()
  }
}
