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

  private static func normal(_ word: String) -> String {
    Double(word).map { "\($0)" } ?? WordSet.stem(word)
  }
}
