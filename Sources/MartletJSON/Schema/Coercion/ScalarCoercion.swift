/// Conversions of single values, each of which can be told from its result.
enum ScalarCoercion {
  /// The value in one of `types`, none of which it has; nil if there is no safe way.
  static func converted(_ value: JSONValue, to types: JSONTypes) -> JSONValue? {
    switch value {
    case .string(let text):
      guard let parsed = parsed(text), types.contains(typeOf: parsed) else { return nil }
      return parsed
    case .number(let number) where types.contains(.string): return .string(number.text)
    case .bool(let flag) where types.contains(.string): return .string(flag ? "true" : "false")
    default: return nil
    }
  }

  /// The one of `values` that is meant; nil if none or several could be.
  static func choice(for value: JSONValue, among values: [JSONValue]) -> JSONValue? {
    if values.contains(value) { return nil }
    var found: JSONValue?
    for candidate in values where isMeant(candidate, by: value) {
      if found != nil { return nil }
      found = candidate
    }
    return found
  }

  private static func isMeant(_ candidate: JSONValue, by value: JSONValue) -> Bool {
    switch (value, candidate) {
    case (.string(let text), .string(let wanted)): text.lowercased() == wanted.lowercased()
    case (.string(let text), _): parsed(text) == candidate
    case (.number(let number), .string(let wanted)): number.text == wanted
    case (.bool(let flag), .string(let wanted)): (flag ? "true" : "false") == wanted.lowercased()
    default: false
    }
  }

  /// What a string says in JSON, taking `True` and `False` of Python too.
  private static func parsed(_ text: String) -> JSONValue? {
    switch text.utf8.count == 4 || text.utf8.count == 5 ? text.lowercased() : "" {
    case "true": return true
    case "false": return false
    default: break
    }
    do {
      return try JSONValue(parsing: text, options: .init(maximumDepth: 64, duplicateKeys: .error))
    } catch {
      return nil  // Plain text, which needs no reason.
    }
  }
}
