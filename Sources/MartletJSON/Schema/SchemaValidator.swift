/// One check of one value: walks the program and the value side by side.
///
/// Work is bounded. A tree of subschemas is visited once per place in the value; where references let the same
/// subschema be reached again and again at one place, results are remembered once a check has grown long, so time stays
/// proportional to the schema's size times the value's. A last limit on steps and depth turns what is left into
/// a violation.
struct SchemaValidator {
  /// Counted in subschemas, of which each level of a value takes one to three. Some 1.4 KB of stack each, in release
  /// builds: the whole fits a thread of 512 KB.
  private static let maximumDepth = 200
  private static let freeSteps = 200_000
  private static let stepsPerPart = 100
  /// Below this many steps remembering costs more than it saves.
  private static let stepsBeforeMemory = 1_000

  let program: SchemaProgram
  let limit: Int
  private var maximumSteps: Int
  /// The value whose size buys more steps, until it has been counted.
  private var uncounted: JSONValue?
  private(set) var violations: [JSONSchema.Violation] = []
  var path = ValuePath()
  /// False while only the outcome matters, as inside `not`; then the first failure ends the check of a node.
  private(set) var isReporting = false
  private var depth = 0
  /// How many `anyOf` or `oneOf` around this one are being explained by what is wrong with one of their forms.
  private(set) var explanations = 0
  private(set) var steps = 0
  /// Why the check was given up.
  private var surrender: String?
  /// The resources entered so far, outermost first: the dynamic scope.
  private var scope: [Int] = []
  private var memory: [MemoryKey: Memory] = [:]
  /// Failures whose violations are recorded already.
  private var reported: Set<MemoryKey> = []

  private struct MemoryKey: Hashable {
    let node: Int
    let path: ValuePath
    let scope: [Int]
    let seesParts: Bool
  }

  private struct Memory {
    let isValid: Bool
    let parts: EvaluatedParts?
  }

  init(_ program: SchemaProgram, limit: Int, maximumSteps: Int) {
    self.program = program
    self.limit = limit
    self.maximumSteps = maximumSteps
  }

  /// A validator with as many steps as the value deserves.
  init(_ program: SchemaProgram, limit: Int, value: JSONValue) {
    self.init(program, limit: limit, maximumSteps: Self.freeSteps)
    uncounted = value
  }

  mutating func isValid(_ value: JSONValue, node: Int? = nil) -> Bool {
    var parts: EvaluatedParts?
    return check(node ?? program.root, value, &parts) && surrender == nil
  }

  mutating func violations(of value: JSONValue, node: Int? = nil) -> [JSONSchema.Violation] {
    // Most values are valid, and finding that out needs no wording.
    if isValid(value, node: node) { return [] }
    isReporting = true
    steps = 0
    var parts: EvaluatedParts?
    _ = check(node ?? program.root, value, &parts)
    if let surrender { add(.init(instancePath: "", schemaPath: "", keyword: "", message: surrender)) }
    if violations.isEmpty {
      let message = "the value does not fit its schema"
      add(.init(instancePath: "", schemaPath: "", keyword: "", message: message))
    }
    return violations
  }

  // MARK: Nodes

  /// Checks one value against one node. `parts`, if the caller has any, takes in what a valid node evaluated.
  mutating func check(_ index: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?) -> Bool {
    guard surrender == nil, enter() else { return false }
    defer { depth -= 1 }
    let resource = program.nodes[index].resource
    let entersResource = scope.last != resource
    if entersResource { scope.append(resource) }
    defer { if entersResource { scope.removeLast() } }

    var key: MemoryKey?
    if steps > Self.stepsBeforeMemory, program.nodes[index].isReferenceTarget {
      let wanted = MemoryKey(node: index, path: path, scope: scope, seesParts: parts != nil)
      if let known = memory[wanted], known.isValid || !isReporting || reported.contains(wanted) {
        if let seen = known.parts { parts?.formUnion(seen) }
        return known.isValid
      }
      key = wanted
    }
    var own: EvaluatedParts? = parts != nil || program.nodes[index].needsEvaluatedParts ? EvaluatedParts() : nil
    let isValid = checkKeywords(of: index, value, &own)
    if isValid, let own { parts?.formUnion(own) }
    if let key, surrender == nil {
      memory[key] = Memory(isValid: isValid, parts: isValid ? own : nil)
      if !isValid, isReporting { reported.insert(key) }
    }
    return isValid
  }

  private mutating func enter() -> Bool {
    steps += 1
    depth += 1
    if steps > maximumSteps, let value = uncounted {
      uncounted = nil
      maximumSteps += Self.stepsPerPart * value.partCount
    }
    if depth > Self.maximumDepth {
      surrender = "the value is nested too deeply to be checked"
    } else if steps > maximumSteps {
      surrender = "the value takes too long to be checked against its schema"
    } else {
      return true
    }
    depth -= 1
    return false
  }

  private mutating func checkKeywords(of index: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?) -> Bool {
    var isValid = true
    for keyword in program.nodes[index].keywords {
      switch keyword {
      case .unevaluatedItems, .unevaluatedProperties:
        // After a failure nobody knows what was evaluated; complaining about it would only mislead.
        guard isValid else { continue }
      default: break
      }
      if check(keyword, of: index, value, &parts) { continue }
      isValid = false
      guard isReporting, violations.count < limit, surrender == nil else { return false }
    }
    return isValid
  }

  private mutating func check(
    _ keyword: SchemaKeyword, of index: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?
  ) -> Bool {
    switch keyword {
    case .reference, .dynamicReference, .allOf, .anyOf, .oneOf, .not, .conditional, .dependentSchemas:
      return checkCombination(keyword, of: index, value, &parts)
    default: break
    }
    switch value {
    case .array(let items):
      return checkAnything(keyword, of: index, value) && checkArray(keyword, of: index, items, &parts)
    case .object(let object):
      return checkAnything(keyword, of: index, value) && checkObject(keyword, of: index, object, &parts)
    case .string(let text):
      return checkAnything(keyword, of: index, value) && checkString(keyword, of: index, text)
    case .number(let number):
      return checkAnything(keyword, of: index, value) && checkNumber(keyword, of: index, number)
    case .null, .bool: return checkAnything(keyword, of: index, value)
    }
  }

  // MARK: State

  /// The node a dynamic reference means here: that of the outermost resource which has the anchor.
  func dynamicTarget(anchor: String, fallback: Int) -> Int {
    for resource in scope {
      if let node = program.dynamicAnchors[resource][anchor] { return node }
    }
    return fallback
  }

  /// Checks without recording violations.
  mutating func holds(_ node: Int, _ value: JSONValue, _ parts: inout EvaluatedParts?) -> Bool {
    let outer = isReporting
    isReporting = false
    defer { isReporting = outer }
    return check(node, value, &parts)
  }

  /// The violations of one node alone, leaving those recorded so far as they are.
  mutating func separateViolations(of node: Int, _ value: JSONValue, limit: Int) -> [JSONSchema.Violation] {
    explanations += 1
    defer { explanations -= 1 }
    var copy = SchemaValidator(program, limit: limit, maximumSteps: maximumSteps)
    copy.path = path
    copy.scope = scope
    copy.depth = depth
    copy.steps = steps
    copy.isReporting = true
    copy.explanations = explanations
    swap(&copy.memory, &memory)
    defer { swap(&copy.memory, &memory) }
    var parts: EvaluatedParts?
    _ = copy.check(node, value, &parts)
    steps = copy.steps
    if surrender == nil { surrender = copy.surrender }
    return copy.violations
  }

  /// Records a failure of the value at the current path; always false.
  mutating func fail(_ keyword: String, of index: Int, _ message: (ValuePath) -> String) -> Bool {
    guard isReporting else { return false }
    let schemaPath = program.nodes[index].location + (keyword.isEmpty ? "" : "/" + keyword)
    add(.init(instancePath: path.pointer, schemaPath: schemaPath, keyword: keyword, message: message(path)))
    return false
  }

  private mutating func add(_ violation: JSONSchema.Violation) {
    // The same failure can be reached twice, by way of two references.
    guard violations.count < limit, !violations.contains(violation) else { return }
    violations.append(violation)
  }
}

extension JSONValue {
  /// How many values there are in it, itself included.
  fileprivate var partCount: Int {
    var count = 0
    var pending = [self]
    while let next = pending.popLast() {
      count += 1
      switch next {
      case .array(let items): pending.append(contentsOf: items)
      case .object(let object): pending.append(contentsOf: object.values)
      default: break
      }
    }
    return count
  }
}
