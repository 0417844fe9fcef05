import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The words and numbers that calls take from a question: what tells one call from another, and what is still unused.
struct Atoms: Sendable, Hashable {
  private(set) var items: Set<String> = []

  init() {}

  init(_ text: String) {
    for word in WordSet.words(text) { items.insert(Self.normal(word)) }
  }

  init(_ value: JSONValue) {
    switch value {
    case .null, .bool: self.init()
    case .number(let number): self.init(number.text)
    case .string(let text): self.init(text)
    case .array(let items): self.init(items)
    case .object(let object): self.init(object.values)
    }
  }

  private init(_ values: some Sequence<JSONValue>) {
    for value in values { formUnion(Atoms(value)) }
  }

  var count: Int { items.count }

  mutating func formUnion(_ other: Atoms) { items.formUnion(other.items) }

  func subtracting(_ other: Atoms) -> Atoms {
    var result = self
    result.items.subtract(other.items)
    return result
  }

  func intersection(_ other: Atoms) -> Atoms {
    var result = self
    result.items.formIntersection(other.items)
    return result
  }

  /// Whether a value of a schema could be made of any of these. In doubt it could.
  func mayHaveValue(of schema: JSONValue) -> Bool {
    if let choices = schema["enum"]?.arrayValue { return choices.contains { Atoms($0).intersection(self).count > 0 } }
    switch schema["type"]?.stringValue {
    case "boolean", "null": return false
    case "integer", "number": return items.contains { Double($0) != nil }
    case "object":
      guard let properties = schema["properties"]?.objectValue, schema["additionalProperties"]?.objectValue == nil
      else {
        return !items.isEmpty
      }
      return properties.contains { mayHaveValue(of: $0.value) }
    case "array":
      guard let elements = schema["items"] else { return !items.isEmpty }
      return mayHaveValue(of: elements)
    default: return !items.isEmpty
    }
  }

  private static func normal(_ word: String) -> String {
    Double(word).map { "\($0)" } ?? WordSet.stem(word)
  }
}
