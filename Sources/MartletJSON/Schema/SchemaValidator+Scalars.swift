extension SchemaValidator {
  /// Assertions on values of any type.
  mutating func checkAnything(_ keyword: SchemaKeyword, of index: Int, _ value: JSONValue) -> Bool {
    switch keyword {
    case .never: return fail("", of: index) { "\($0.subject) is not allowed here" }
    case .types(let types):
      guard !types.contains(typeOf: value) else { return true }
      return fail("type", of: index) {
        "\($0.subject) must be \(types.phrase), \(ViolationText.got(value, withType: true))"
      }
    case .enumeration(let values):
      guard !values.contains(value) else { return true }
      let choice = values.count == 1 ? "" : "one of "
      return fail("enum", of: index) {
        "\($0.subject) must be \(choice)\(ViolationText.list(values)), \(ViolationText.got(value))"
      }
    case .constant(let wanted):
      guard wanted != value else { return true }
      return fail("const", of: index) {
        "\($0.subject) must be \(ViolationText.quote(wanted)), \(ViolationText.got(value))"
      }
    default: return true
    }
  }

  mutating func checkNumber(_ keyword: SchemaKeyword, of index: Int, _ number: JSONNumber) -> Bool {
    switch keyword {
    case .bound(let bound):
      guard !bound.admits(number) else { return true }
      let relation =
        switch (bound.isUpper, bound.isExclusive) {
        case (true, false): "at most"
        case (true, true): "less than"
        case (false, false): "at least"
        case (false, true): "greater than"
        }
      return fail(bound.keyword, of: index) {
        "\($0.subject) must be \(relation) \(bound.number), \(ViolationText.got(.number(number)))"
      }
    case .multipleOf(let divisor, let decimal):
      guard !JSONDecimal(number.text).isMultiple(of: decimal) else { return true }
      return fail("multipleOf", of: index) {
        "\($0.subject) must be a multiple of \(divisor), \(ViolationText.got(.number(number)))"
      }
    default: return true
    }
  }

  mutating func checkString(_ keyword: SchemaKeyword, of index: Int, _ text: String) -> Bool {
    switch keyword {
    case .minLength(let min):
      let count = text.unicodeScalars.count
      guard count < min else { return true }
      return fail("minLength", of: index) {
        "\($0.subject) must have at least \(ViolationText.count(min, "character")), got \(count)"
      }
    case .maxLength(let max):
      let count = text.unicodeScalars.count
      guard count > max else { return true }
      return fail("maxLength", of: index) {
        "\($0.subject) must have at most \(ViolationText.count(max, "character")), got \(count)"
      }
    case .pattern(let pattern):
      switch pattern.matches(text) {
      case true?: return true
      case false?:
        return fail("pattern", of: index) {
          "\($0.subject) must match the pattern \(pattern.source), \(ViolationText.got(.string(text)))"
        }
      case nil: return fail("pattern", of: index) { "\($0.subject) takes too long to be checked against its pattern" }
      }
    case .format(let format):
      guard !format.admits(text) else { return true }
      return fail("format", of: index) { "\($0.subject) must be \(format.phrase), \(ViolationText.got(.string(text)))" }
    default: return true
    }
  }
}
