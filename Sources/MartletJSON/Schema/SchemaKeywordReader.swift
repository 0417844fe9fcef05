/// Reads the keywords of one schema object and refuses those with a wrong value.
struct SchemaKeywordReader {
  let object: JSONObject
  let place: SchemaPlace
  /// The place as people read it.
  let location: String
  let resource: SchemaRegistry.Resource
  let options: JSONSchema.Options

  private var found: [SchemaKeyword] = []

  init(
    object: JSONObject, place: SchemaPlace, location: String, resource: SchemaRegistry.Resource,
    options: JSONSchema.Options
  ) {
    self.object = object
    self.place = place
    self.location = location
    self.resource = resource
    self.options = options
  }

  mutating func keywords(_ compiler: inout SchemaCompiler) throws(JSONSchemaError) -> [SchemaKeyword] {
    if let reference = try string("$ref") {
      found.append(.reference(try compiler.target(of: reference, at: place)))
      if resource.dialect.referenceStandsAlone { return found }
    }
    if let reference = try string("$dynamicRef") {
      found.append(try compiler.dynamicTarget(of: reference, at: place))
    }
    if resource.dialect == .draft2019, try string("$recursiveRef") != nil {
      found.append(try compiler.recursiveTarget(at: place))
    }
    if resource.validates {
      try general()
      try numbers()
      try strings()
      try counts()
    }
    try arrays(&compiler)
    try objects(&compiler)
    try combinations(&compiler)
    try unevaluated(&compiler)
    return found
  }

  // MARK: Assertions

  private mutating func general() throws(JSONSchemaError) {
    if let value = object["type"] {
      var types: JSONTypes = []
      for name in value.arrayValue ?? [value] {
        guard let name = name.stringValue, let known = JSONTypes(name: name) else {
          let names = JSONTypes.names.map(\.name).alternatives
          throw invalid("type", "must be \(names), or a list of these")
        }
        types.formUnion(known)
      }
      found.append(.types(types))
    }
    if let value = object["enum"] {
      guard let values = value.arrayValue else { throw invalid("enum", "must be an array") }
      found.append(.enumeration(values))
    }
    if let value = object["const"], resource.dialect > .draft4 { found.append(.constant(value)) }
  }

  private mutating func numbers() throws(JSONSchemaError) {
    if let divisor = try number("multipleOf") {
      let decimal = JSONDecimal(divisor.text)
      guard !decimal.isNegative, !decimal.digits.isEmpty else {
        throw invalid("multipleOf", "must be greater than 0")
      }
      found.append(.multipleOf(divisor, decimal))
    }
    for (keyword, exclusive, isUpper) in [
      ("minimum", "exclusiveMinimum", false), ("maximum", "exclusiveMaximum", true),
    ] {
      // In draft 4 the exclusive form was a flag beside the bound.
      let isFlag = resource.dialect == .draft4 && object[exclusive]?.boolValue != nil
      if let bound = try number(keyword) {
        let isExclusive = isFlag && object[exclusive] == true
        let decimal = JSONDecimal(bound.text)
        found.append(.bound(.init(number: bound, decimal: decimal, isUpper: isUpper, isExclusive: isExclusive)))
      }
      if !isFlag, let bound = try number(exclusive) {
        let decimal = JSONDecimal(bound.text)
        found.append(.bound(.init(number: bound, decimal: decimal, isUpper: isUpper, isExclusive: true)))
      }
    }
  }

  private mutating func strings() throws(JSONSchemaError) {
    if let count = try count("minLength") { found.append(.minLength(count)) }
    if let count = try count("maxLength") { found.append(.maxLength(count)) }
    if let source = try string("pattern"), let pattern = try pattern(source, "pattern") {
      found.append(.pattern(pattern))
    }
    if let name = try string("format"), options.assertsFormats, let format = StringFormat(rawValue: name) {
      found.append(.format(format))
    }
  }

  private mutating func counts() throws(JSONSchemaError) {
    if let count = try count("minItems") { found.append(.minItems(count)) }
    if let count = try count("maxItems") { found.append(.maxItems(count)) }
    if let value = object["uniqueItems"] {
      guard let isUnique = value.boolValue else { throw invalid("uniqueItems", "must be true or false") }
      if isUnique { found.append(.uniqueItems) }
    }
    if let count = try count("minProperties") { found.append(.minProperties(count)) }
    if let count = try count("maxProperties") { found.append(.maxProperties(count)) }
    if let value = object["required"] { found.append(.required(try strings(value, "required"))) }
    var needs = try map("dependentRequired").map { ($0.key, $0.value) }
    let older = try map("dependencies").filter { $0.value.arrayValue != nil }
    needs += older
    guard !needs.isEmpty else { return }
    var entries: [(key: String, needs: [String])] = []
    for (key, value) in needs { entries.append((key, try strings(value, "dependentRequired"))) }
    found.append(.dependentRequired(entries, keyword: older.isEmpty ? "dependentRequired" : "dependencies"))
  }

  // MARK: Applicators

  private mutating func arrays(_ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    var prefix: [Int] = []
    var rest: Int?
    var restKeyword = "items"
    if resource.dialect.hasItemsArray, object["items"]?.arrayValue != nil {
      prefix = try list("items", &compiler)
      restKeyword = "additionalItems"
    } else if object["items"]?.arrayValue != nil {
      throw invalid("items", "must be one schema; for a list of schemas use `prefixItems`")
    } else if object["prefixItems"] != nil, !resource.dialect.hasItemsArray {
      prefix = try list("prefixItems", &compiler)
    }
    rest = try one(restKeyword, &compiler)
    if !prefix.isEmpty || rest != nil { found.append(.items(prefix: prefix, rest: rest, restKeyword: restKeyword)) }
    if let node = try one("contains", &compiler) {
      let min = resource.validates ? try count("minContains") : nil
      let max = resource.validates ? try count("maxContains") : nil
      found.append(.contains(node, min: min ?? 1, max: max))
    }
  }

  private mutating func objects(_ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    var members = SchemaMembers()
    for (name, _) in try map("properties") {
      members.properties[ExactString(name)] = try compiler.node(at: place.child("properties", name))
      members.names.append(name)
    }
    var hasAllPatterns = true
    for (source, _) in try map("patternProperties") {
      guard let pattern = try pattern(source, "patternProperties") else {
        hasAllPatterns = false
        continue
      }
      members.patterns.append((pattern, try compiler.node(at: place.child("patternProperties", source))))
    }
    // Without a pattern nobody can tell which members are additional.
    if hasAllPatterns { members.additional = try one("additionalProperties", &compiler) }
    if !members.properties.isEmpty || !members.patterns.isEmpty || members.additional != nil {
      found.append(.members(members))
    }
    if let node = try one("propertyNames", &compiler) { found.append(.propertyNames(node)) }
    var dependent: [(key: String, node: Int)] = []
    for (key, _) in try map("dependentSchemas") {
      dependent.append((key, try compiler.node(at: place.child("dependentSchemas", key))))
    }
    for (key, value) in try map("dependencies") where value.arrayValue == nil {
      dependent.append((key, try compiler.node(at: place.child("dependencies", key))))
    }
    if !dependent.isEmpty { found.append(.dependentSchemas(dependent)) }
  }

  private mutating func combinations(_ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    if object["allOf"] != nil { found.append(.allOf(try list("allOf", &compiler))) }
    if object["anyOf"] != nil { found.append(.anyOf(try list("anyOf", &compiler))) }
    if object["oneOf"] != nil { found.append(.oneOf(try list("oneOf", &compiler))) }
    if let node = try one("not", &compiler) {
      found.append(.not(node, text: ViolationText.quote(object["not"] ?? true)))
    }
    if let condition = try one("if", &compiler) {
      let then = try one("then", &compiler)
      found.append(.conditional(if: condition, then: then, else: try one("else", &compiler)))
    }
  }

  private mutating func unevaluated(_ compiler: inout SchemaCompiler) throws(JSONSchemaError) {
    guard resource.dialect >= .draft2019 else { return }
    if let node = try one("unevaluatedItems", &compiler) { found.append(.unevaluatedItems(node)) }
    if let node = try one("unevaluatedProperties", &compiler) { found.append(.unevaluatedProperties(node)) }
  }

  // MARK: Values of keywords

  private func one(_ key: String, _ compiler: inout SchemaCompiler) throws(JSONSchemaError) -> Int? {
    object[key] == nil ? nil : try compiler.node(at: place.child(key))
  }

  private func list(_ key: String, _ compiler: inout SchemaCompiler) throws(JSONSchemaError) -> [Int] {
    guard let items = object[key]?.arrayValue, !items.isEmpty else {
      throw invalid(key, "must be a list of at least one schema")
    }
    var nodes: [Int] = []
    for index in items.indices { nodes.append(try compiler.node(at: place.child(key, "\(index)"))) }
    return nodes
  }

  private func map(_ key: String) throws(JSONSchemaError) -> JSONObject {
    guard let value = object[key] else { return [:] }
    guard let map = value.objectValue else { throw invalid(key, "must be an object") }
    return map
  }

  private func string(_ key: String) throws(JSONSchemaError) -> String? {
    guard let value = object[key] else { return nil }
    guard let text = value.stringValue else { throw invalid(key, "must be a string") }
    return text
  }

  private func number(_ key: String) throws(JSONSchemaError) -> JSONNumber? {
    guard let value = object[key] else { return nil }
    guard let number = value.numberValue else { throw invalid(key, "must be a number") }
    return number
  }

  private func count(_ key: String) throws(JSONSchemaError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard number.isIntegral, !JSONDecimal(number.text).isNegative else {
      throw invalid(key, "must be an integer of at least 0")
    }
    return number.int ?? .max
  }

  private func strings(
    _ value: JSONValue, _ key: String
  ) throws(JSONSchemaError) -> [String] {
    let strings = value.arrayValue?.compactMap(\.stringValue)
    guard let strings, strings.count == value.arrayValue?.count else {
      throw invalid(key, "must be a list of strings")
    }
    return strings
  }

  private func pattern(
    _ source: String, _ key: String
  ) throws(JSONSchemaError) -> Pattern? {
    do {
      return try Pattern(source)
    } catch {
      if options.ignoresUnusablePatterns { return nil }
      throw JSONSchemaError(
        .invalidPattern, "the pattern \(source) cannot be used: \(error)",
        at: location(of: key), underlying: error)
    }
  }

  private func location(of key: String) -> String { location + "/" + JSONPointer.escaped(key) }

  private func invalid(_ key: String, _ reason: String) -> JSONSchemaError {
    JSONSchemaError(.invalidKeyword, "`\(key)` \(reason)", at: location(of: key))
  }
}
