/// Scopes in the order they were named, each once (RFC 6749, 3.3).
struct ScopeSet: Sendable, Hashable {
  private(set) var names: [String] = []

  init(_ names: some Sequence<String> = []) {
    for name in names where !name.isEmpty && !self.names.contains(name) { self.names.append(name) }
  }

  /// Scopes as they are written: separated by spaces.
  init(text: String) { self.init(text.split(separator: " ").map(String.init)) }

  var text: String { names.joined(separator: " ") }
  var isEmpty: Bool { names.isEmpty }

  func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(names + other.names) }

  func isSubset(of other: ScopeSet) -> Bool { names.allSatisfy(other.names.contains) }

  func contains(_ name: String) -> Bool { names.contains(name) }
}
