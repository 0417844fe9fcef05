/// The members of an object being encoded.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) {
    encoder.set(.null, key)
  }

  // Stands for the requirement of each scalar type as well.
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.set(try encoder.encoded(value, key), key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.pendingMember(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.pendingMember(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.pendingMember(JSONPathKey.super)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.pendingMember(key)
  }
}
