/// Turns schema documents into a program: every subschema that can be reached becomes a node, references become edges.
struct SchemaCompiler {
  /// Bounds memory for hostile schemas; the largest published ones (FHIR, Kubernetes) stay below.
  private static let maximumNodes = 100_000

  let options: JSONSchema.Options
  private(set) var registry = SchemaRegistry()
  private(set) var program = SchemaProgram()
  private var indexes: [SchemaPlace: Int] = [:]
  /// Targets of references, compiled one after the other so that chains of references need no stack.
  private var pending: [(index: Int, place: SchemaPlace)] = []
  private var dynamicNames: Set<String> = []

  static func compile(
    _ document: JSONValue, options: JSONSchema.Options, resources: [String: JSONValue]
  ) throws(JSONSchemaError) -> SchemaProgram {
    var compiler = SchemaCompiler(options: options)
    let others = resources.sorted { $0.key < $1.key }
    try compiler.registry.add(document, uri: "", dialect: options.dialect)
    for (uri, other) in others { try compiler.registry.add(other, uri: uri, dialect: options.dialect) }
    compiler.registry.settleVocabularies()
    compiler.program.root = try compiler.node(at: SchemaPlace(document: 0, pointer: ""))
    try compiler.compilePending()
    try compiler.checkLoops()
    compiler.inferTypes()
    return compiler.program
  }

  init(options: JSONSchema.Options) { self.options = options }

  // MARK: Nodes

  /// The index of the node for a place, which is compiled at the latest by `compilePending`.
  mutating func node(at place: SchemaPlace) throws(JSONSchemaError) -> Int {
    if let index = indexes[place] { return index }
    let index = program.nodes.count
    guard index < Self.maximumNodes else {
      throw JSONSchemaError(.tooLarge, "there are more than \(Self.maximumNodes) subschemas", at: "")
    }
    let resource = registry.resource(of: place)
    program.nodes.append(SchemaNode(location: registry.describe(place), resource: resource))
    indexes[place] = index
    pending.append((index, place))
    return index
  }

  private mutating func compilePending() throws(JSONSchemaError) {
    repeat {
      while let (index, place) = pending.popLast() {
        guard let value = registry.value(at: place) else { continue }
        try compile(value, at: place, into: index)
      }
      try compileDynamicAnchors()
    } while !pending.isEmpty
    program.dynamicAnchors = Array(repeating: [:], count: registry.resources.count)
    for (index, resource) in registry.resources.enumerated() {
      for (name, place) in resource.dynamicAnchors where dynamicNames.contains(name) {
        program.dynamicAnchors[index][name] = indexes[place]
      }
    }
  }

  private mutating func compile(_ value: JSONValue, at place: SchemaPlace, into index: Int) throws(JSONSchemaError) {
    switch value {
    case .bool(true): break
    case .bool(false): program.nodes[index].keywords = [.never]
    case .object(let object):
      var reader = SchemaKeywordReader(
        object: object, place: place, location: program.nodes[index].location,
        resource: registry.resources[program.nodes[index].resource], options: options)
      let keywords = try reader.keywords(&self)
      program.nodes[index].keywords = keywords
      program.nodes[index].needsEvaluatedParts = keywords.contains {
        switch $0 {
        case .unevaluatedItems, .unevaluatedProperties: true
        default: false
        }
      }
    default:
      throw JSONSchemaError(
        .invalidKeyword, "a schema must be an object, true or false, not \(JSONTypes(of: value).phrase)",
        at: registry.describe(place))
    }
  }

  // MARK: References

  /// The node a `$ref` at `place` leads to.
  mutating func target(of text: String, at place: SchemaPlace) throws(JSONSchemaError) -> Int {
    let index = try node(at: try resolve(text, at: place))
    program.nodes[index].isReferenceTarget = true
    return index
  }

  /// A `$dynamicRef`; a plain reference unless it names a `$dynamicAnchor` (2020-12 Core, section 8.2.3.2).
  mutating func dynamicTarget(of text: String, at place: SchemaPlace) throws(JSONSchemaError) -> SchemaKeyword {
    let target = try resolve(text, at: place)
    let fallback = try self.target(of: text, at: place)
    guard let name = URIReference(text).decodedFragment, !name.isEmpty, !name.hasPrefix("/"),
      registry.resources[registry.resource(of: target)].dynamicAnchors[name] == target
    else { return .reference(fallback) }
    dynamicNames.insert(name)
    return .dynamicReference(anchor: name, fallback: fallback)
  }

  /// A `$recursiveRef` of draft 2019-09.
  mutating func recursiveTarget(at place: SchemaPlace) throws(JSONSchemaError) -> SchemaKeyword {
    let fallback = try target(of: "#", at: place)
    let name = SchemaRegistry.recursiveAnchor
    guard registry.resources[registry.resource(of: place)].dynamicAnchors[name] != nil else {
      return .reference(fallback)
    }
    dynamicNames.insert(name)
    return .dynamicReference(anchor: name, fallback: fallback)
  }

  /// A dynamic scope holds only resources with nodes, so the anchors of others do not matter.
  private mutating func compileDynamicAnchors() throws(JSONSchemaError) {
    guard !dynamicNames.isEmpty else { return }
    for resource in Set(program.nodes.map(\.resource)).sorted() {
      for (name, place) in registry.resources[resource].dynamicAnchors where dynamicNames.contains(name) {
        program.nodes[try node(at: place)].isReferenceTarget = true
      }
    }
  }

  private mutating func resolve(_ text: String, at place: SchemaPlace) throws(JSONSchemaError) -> SchemaPlace {
    func unresolved(_ reason: String) -> JSONSchemaError {
      JSONSchemaError(.unresolvedReference, "the reference \(text) \(reason)", at: registry.describe(place))
    }
    let reference = URIReference(text)
    let base = registry.resources[registry.resource(of: place)]
    let uri = reference.resolved(against: URIReference(base.uri))
    if registry.resource(uri: uri) == nil, uri == Metaschema.uri {
      try registry.add(Metaschema.document, uri: uri, dialect: .draft2020)
    }
    guard let found = registry.resource(uri: uri) else {
      throw unresolved("leads to a document that is not given; nothing is fetched")
    }
    guard let fragment = reference.decodedFragment else { throw unresolved("has a broken percent escape") }
    let resource = registry.resources[found]
    if fragment.isEmpty { return resource.place }
    guard fragment.hasPrefix("/") else {
      guard let anchor = resource.anchors[fragment] else { throw unresolved("names an anchor that is not there") }
      return anchor
    }
    guard let tokens = JSONPointer.tokens(of: fragment) else { throw unresolved("is no JSON Pointer") }
    let target = tokens.reduce(resource.place) { $0.child($1) }
    guard registry.value(at: target) != nil else { throw unresolved("leads to nothing in the schema") }
    return target
  }

  // MARK: Checks over the whole program

  /// Refuses references that come back to where they are without going into the value.
  private func checkLoops() throws(JSONSchemaError) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: program.nodes.count)
    for start in program.nodes.indices where marks[start] == .new {
      var stack = [(node: start, next: 0)]
      marks[start] = .open
      while let top = stack.last {
        let targets = program.nodes[top.node].keywords.flatMap(\.inPlace)
        guard top.next < targets.count else {
          marks[top.node] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = targets[top.next]
        if marks[target] == .open {
          throw JSONSchemaError(
            .referenceLoop, "following its references leads back to it without going into the value",
            at: program.nodes[target].location)
        }
        if marks[target] == .new {
          marks[target] = .open
          stack.append((target, 0))
        }
      }
    }
  }

  /// Finds what types each node admits; repeated until nothing changes, since nodes refer to each other.
  private mutating func inferTypes() {
    // Sets only shrink, so this ends; a few rounds do for real schemas, and stopping early is merely less exact.
    for _ in 0..<16 {
      var hasChanged = false
      for index in program.nodes.indices.reversed() {
        let types = program.nodes[index].keywords.reduce(JSONTypes.all) { $0.intersection(self.types(of: $1)) }
        if types != program.nodes[index].types {
          program.nodes[index].types = types
          hasChanged = true
        }
      }
      if !hasChanged { return }
    }
  }

  private func types(of keyword: SchemaKeyword) -> JSONTypes {
    func union(_ nodes: [Int]) -> JSONTypes { nodes.reduce([]) { $0.union(program.nodes[$1].types) } }
    return switch keyword {
    case .never: []
    case .types(let types): types
    case .enumeration(let values): values.reduce([]) { $0.union(JSONTypes(of: $1)) }
    case .constant(let value): JSONTypes(of: value)
    case .reference(let node): program.nodes[node].types
    case .allOf(let nodes): nodes.reduce(.all) { $0.intersection(program.nodes[$1].types) }
    case .anyOf(let nodes), .oneOf(let nodes): union(nodes)
    default: .all
    }
  }
}
