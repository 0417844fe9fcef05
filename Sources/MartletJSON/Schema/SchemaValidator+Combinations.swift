/// Keywords that apply other subschemas to the same value.
extension SchemaValidator {
  /// Explaining takes a check for each form, so with each level inside another the work multiplies.
  private static let maximumExplanations = 2

  mutating func checkCombination(
    _ keyword: SchemaKeyword, of index: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?
  ) -> Bool {
    switch keyword {
    case .reference(let node): return check(node, value, &parts)
    case .dynamicReference(let anchor, let fallback):
      return check(dynamicTarget(anchor: anchor, fallback: fallback), value, &parts)
    case .allOf(let nodes): return checkAll(nodes, value, &parts)
    case .anyOf(let nodes):
      var isValid = false
      for node in nodes where holds(node, value, &parts) {
        isValid = true
        // The others matter only for what they evaluate.
        if parts == nil { break }
      }
      return isValid || failAlternatives(nodes, "anyOf", of: index, value)
    case .oneOf(let nodes): return checkOne(nodes, of: index, value, &parts)
    case .not(let node, let text):
      var none: EvaluatedParts?
      guard holds(node, value, &none) else { return true }
      return fail("not", of: index) { "\($0.subject) must not fit \(text), \(ViolationText.got(value))" }
    case .conditional(let condition, let then, let otherwise):
      guard let branch = holds(condition, value, &parts) ? then : otherwise else { return true }
      return check(branch, value, &parts)
    case .dependentSchemas(let entries):
      guard case .object(let object) = value else { return true }
      return checkAll(entries.filter { object[$0.key] != nil }.map(\.node), value, &parts)
    default: return true
    }
  }

  private mutating func checkAll(_ nodes: [Int], _ value: JSONValue, _ parts: inout EvaluatedParts?) -> Bool {
    var isValid = true
    for node in nodes where !check(node, value, &parts) {
      isValid = false
      guard isReporting, violations.count < limit else { return false }
    }
    return isValid
  }

  private mutating func checkOne(
    _ nodes: [Int], of index: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?
  ) -> Bool {
    var first: (position: Int, parts: EvaluatedParts?)?
    for (position, node) in nodes.enumerated() {
      var own: EvaluatedParts? = parts == nil ? nil : EvaluatedParts()
      guard holds(node, value, &own) else { continue }
      if let first {
        let both = "\(ViolationText.ordinal(first.position + 1)) and \(ViolationText.ordinal(position + 1))"
        return fail("oneOf", of: index) {
          "\($0.subject) must fit exactly one of its \(nodes.count) forms, but fits the \(both)"
        }
      }
      first = (position, own)
    }
    guard let first else { return failAlternatives(nodes, "oneOf", of: index, value) }
    if let own = first.parts { parts?.formUnion(own) }
    return true
  }

  /// Says why a value fits none of its forms: by the form it was most likely meant to have.
  private mutating func failAlternatives(
    _ nodes: [Int], _ keyword: String, of index: Int, _ value: JSONValue
  ) -> Bool {
    guard isReporting else { return false }
    let candidates = nodes.filter { program.nodes[$0].types.contains(typeOf: value) }
    guard !candidates.isEmpty else {
      let types = nodes.reduce(JSONTypes()) { $0.union(program.nodes[$1].types) }
      guard !types.isEmpty else { return fail(keyword, of: index) { "\($0.subject) is not allowed here" } }
      let got = ViolationText.got(value, withType: true)
      return fail(keyword, of: index) { "\($0.subject) must be \(types.phrase), \(got)" }
    }
    if candidates.count == 1 {
      var parts: EvaluatedParts?
      return check(candidates[0], value, &parts)
    }
    let choices = candidates.compactMap { program.constants(of: $0) }
    if choices.count == candidates.count {
      let list = ViolationText.list(choices.flatMap(\.self))
      return fail(keyword, of: index) { "\($0.subject) must be one of \(list), \(ViolationText.got(value))" }
    }
    guard explanations < Self.maximumExplanations else {
      return fail(keyword, of: index) { "\($0.subject) fits none of its \(nodes.count) forms" }
    }
    let here = path.steps.count
    let closest =
      candidates.prefix(10)
      .map { ($0, separateViolations(of: $0, value, limit: 4)) }
      .min { ViolationText.distance($0.1, from: here) < ViolationText.distance($1.1, from: here) }
    let form = closest.flatMap { nodes.firstIndex(of: $0.0) }.map { ViolationText.ordinal($0 + 1) } ?? "first"
    let reasons = closest?.1.map(\.message).joined(separator: "; ") ?? ""
    return fail(keyword, of: index) {
      "\($0.subject) fits none of its \(nodes.count) forms; for the \(form), \(reasons)"
    }
  }
}

extension SchemaProgram {
  /// The values a node admits if it is nothing but `const` or `enum`.
  func constants(of index: Int) -> [JSONValue]? {
    var values: [JSONValue]?
    for keyword in nodes[index].keywords {
      switch keyword {
      case .constant(let value): values = [value]
      case .enumeration(let list): values = list
      case .types: break
      default: return nil
      }
    }
    return values
  }
}

extension ViolationText {
  /// How far a form is from what a value was meant to be. A wrong `const` or `enum` right below marks another variant.
  static func distance(_ violations: [JSONSchema.Violation], from depth: Int) -> Int {
    violations.reduce(0) { sum, violation in
      let isTag = violation.keyword == "const" || violation.keyword == "enum"
      let level = violation.instancePath.utf8.count { $0 == UInt8(ascii: "/") }
      return sum + (isTag && level <= depth + 1 ? 10 : 1)
    }
  }
}
