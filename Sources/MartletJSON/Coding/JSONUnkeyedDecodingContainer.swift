/// The elements of an array, decoded in order.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  private let elements: [JSONValue]
  private let decoder: JSONValueDecoder
  private(set) var currentIndex = 0

  init(elements: [JSONValue], decoder: JSONValueDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(JSONValue?.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  // Stands for the requirement of each scalar type as well.
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoder.decode(type, element(type), JSONPathKey(intValue: currentIndex))
    currentIndex += 1
    return value
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    if isAtEnd { return nil }
    return try decodeNil() ? nil : decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try child(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try child((any UnkeyedDecodingContainer).self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try child((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func child(_ type: any Any.Type) throws -> JSONValueDecoder {
    try decoder.child(element(type), JSONPathKey(intValue: currentIndex))
  }

  private func element(_ type: any Any.Type) throws -> JSONValue {
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: decoder.path(JSONPathKey(intValue: currentIndex)),
          debugDescription: "The array has only \(elements.count) elements."))
    }
    return elements[currentIndex]
  }
}
