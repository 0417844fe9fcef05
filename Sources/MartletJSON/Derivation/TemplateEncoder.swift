/// An encoder that keeps what a template would encode under each key, as it is.
struct TemplateEncoder: Encoder {
  /// Tells extensions of keyed containers that this is no ordinary encoder.
  struct Marker: CodingKey {
    var stringValue: String { "" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) {}
    init?(intValue: Int) {}
  }

  private final class Record {
    var members: [String: any Encodable] = [:]
  }

  private let record = Record()

  var codingPath: [any CodingKey] { [Marker()] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func members(of template: some Encodable) throws -> [String: any Encodable] {
    let encoder = TemplateEncoder()
    try template.encode(to: encoder)
    return encoder.record.members
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(record: record))
  }

  // A template is an object with members; whatever else a hand-written `encode(to:)` does says nothing about them.

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Ignored() }

  func singleValueContainer() -> any SingleValueEncodingContainer { Ignored() }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let record: Record

    var codingPath: [any CodingKey] { [Marker()] }

    func encodeNil(forKey key: Key) throws {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { record.members[key.stringValue] = value }

    func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      TemplateEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Ignored() }

    func superEncoder() -> any Encoder { TemplateEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { TemplateEncoder() }
  }

  private struct Ignored: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [Marker()] }
    var count: Int { 0 }

    func encodeNil() throws {}

    func encode<T: Encodable>(_ value: T) throws {}

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
      TemplateEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { TemplateEncoder() }
  }
}
