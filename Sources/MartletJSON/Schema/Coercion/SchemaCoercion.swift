/// One walk over a value that mends what has the wrong type.
///
/// Only keywords that a valid value must satisfy are followed, so a valid value has nothing to mend. Among the forms of
/// `anyOf` and `oneOf` one is tried only if the value fits none as it is.
struct SchemaCoercion {
  private static let maximumDepth = 100
  private static let maximumSteps = 200_000
  /// Mending one part can make another mendable, seldom more than once.
  private static let maximumRounds = 4

  private let program: SchemaProgram
  private var depth = 0
  private var stepsLeft = maximumSteps

  init(_ program: SchemaProgram) { self.program = program }

  mutating func coerced(_ value: JSONValue) -> JSONValue {
    let required = requiredNames(of: program.root)
    var result = value
    for _ in 0..<Self.maximumRounds {
      let next = coerced(result, to: program.root, required: required)
      guard stepsLeft > 0 else { return value }
      if next == result { return next }
      result = next
    }
    // Only a schema that contradicts itself goes on for ever; nothing fits it.
    return value
  }

  /// `required` holds the members that the value, if it is an object, must have for any reason.
  private mutating func coerced(_ value: JSONValue, to index: Int, required: Set<ExactString>) -> JSONValue {
    guard stepsLeft > 0, depth < Self.maximumDepth else { return value }
    stepsLeft -= 1
    depth += 1
    defer { depth -= 1 }
    let types = program.nodes[index].types
    var result = value
    if !types.contains(typeOf: value) { result = converted(value, to: types, index) ?? value }
    result = plainInteger(result, types)
    for keyword in program.nodes[index].keywords {
      switch keyword {
      case .reference(let node), .dynamicReference(_, let node): result = coerced(result, to: node, required: required)
      case .allOf(let nodes): for node in nodes { result = coerced(result, to: node, required: required) }
      case .anyOf(let nodes): result = fitted(result, into: nodes, required: required) ?? result
      case .oneOf(let nodes):
        if let fitting = fitted(result, into: nodes, required: required), isValid(fitting, index) { result = fitting }
      case .enumeration(let values): result = ScalarCoercion.choice(for: result, among: values) ?? result
      case .constant(let wanted): result = ScalarCoercion.choice(for: result, among: [wanted]) ?? result
      case .members(let members):
        if case .object(let object) = result { result = .object(mended(object, members, required: required)) }
      case .items(let prefix, let rest, _):
        if case .array(let items) = result { result = .array(mended(items, prefix: prefix, rest: rest)) }
      default: break
      }
    }
    return result
  }

  // MARK: The value itself

  private mutating func converted(_ value: JSONValue, to types: JSONTypes, _ index: Int) -> JSONValue? {
    if let scalar = ScalarCoercion.converted(value, to: types) { return scalar }
    guard types.contains(.array), value != .null else { return nil }
    if case .array = value { return nil }
    // A single item in place of a list of one.
    let list = coerced(.array([value]), to: index, required: [])
    guard isValid(list, index) else { return nil }
    return list
  }

  /// `3` for `3.0`, for the sake of readers that take an integer by its spelling.
  private func plainInteger(_ value: JSONValue, _ types: JSONTypes) -> JSONValue {
    guard case .number(let number) = value, case .text = number.storage, types.contains(.integer),
      !types.contains(.fraction), let integer = number.int
    else { return value }
    return .number(JSONNumber(integer))
  }

  // MARK: Parts

  private mutating func mended(
    _ object: JSONObject, _ members: SchemaMembers, required: Set<ExactString>
  ) -> JSONObject {
    var result = object
    for entry in object.entries {
      let key = ExactString(entry.key)
      var nodes = members.patterns.filter { $0.pattern.matches(entry.key) == true }.map(\.node)
      if let node = members.properties[key] {
        if entry.value == .null, !required.contains(key), !program.nodes[node].types.contains(.null) {
          result.removeValue(forKey: entry.key)
          continue
        }
        nodes.append(node)
      }
      if nodes.isEmpty, let additional = members.additional { nodes = [additional] }
      var value = entry.value
      for node in nodes { value = coerced(value, to: node, required: requiredNames(of: node)) }
      if !nodes.isEmpty { result[entry.key] = value }
    }
    return result
  }

  private mutating func mended(_ items: [JSONValue], prefix: [Int], rest: Int?) -> [JSONValue] {
    var result = items
    for (position, item) in items.enumerated() {
      guard let node = position < prefix.count ? prefix[position] : rest else { break }
      result[position] = coerced(item, to: node, required: requiredNames(of: node))
    }
    return result
  }

  /// The members that an object must have by `required` of the node and of what applies with it.
  private func requiredNames(of index: Int) -> Set<ExactString> {
    var names: Set<ExactString> = []
    var pending = [index]
    while let next = pending.popLast() {
      for keyword in program.nodes[next].keywords {
        switch keyword {
        case .required(let list): names.formUnion(list.map(ExactString.init))
        case .reference(let node): pending.append(node)
        case .allOf(let nodes): pending += nodes
        default: break
        }
      }
    }
    return names
  }

  // MARK: Forms

  /// The value in one of several forms; nil if it cannot be brought into any.
  private mutating func fitted(_ value: JSONValue, into nodes: [Int], required: Set<ExactString>) -> JSONValue? {
    if let node = nodes.first(where: { isValid(value, $0) }) { return coerced(value, to: node, required: required) }
    var best: (value: JSONValue, distance: Int)?
    for node in nodes {
      let candidate = coerced(value, to: node, required: required.union(requiredNames(of: node)))
      guard isValid(candidate, node) else { continue }
      let distance = Self.distance(from: value, to: candidate)
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.value
  }

  /// 0 where only parts or letter case changed, 1 where the type did, 2 where a list was made around it.
  private static func distance(from old: JSONValue, to new: JSONValue) -> Int {
    switch (old, new) {
    case (.string, .array): 2
    case (_, .array(let items)) where items.count == 1: JSONTypes(of: old) == .array ? 0 : 2
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object): 0
    default: 1
    }
  }

  private mutating func isValid(_ value: JSONValue, _ index: Int) -> Bool {
    var validator = SchemaValidator(program, limit: 0, maximumSteps: stepsLeft)
    let isValid = validator.isValid(value, node: index)
    stepsLeft -= validator.steps
    return isValid
  }
}
