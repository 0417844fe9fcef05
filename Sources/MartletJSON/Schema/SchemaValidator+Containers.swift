extension SchemaValidator {
  mutating func checkArray(
    _ keyword: SchemaKeyword, of index: Int, _ items: [JSONValue], _ parts: inout EvaluatedParts?
  ) -> Bool {
    switch keyword {
    case .minItems(let min):
      guard items.count < min else { return true }
      return fail("minItems", of: index) {
        "\($0.subject) must have at least \(ViolationText.count(min, "item")), got \(items.count)"
      }
    case .maxItems(let max):
      guard items.count > max else { return true }
      return fail("maxItems", of: index) {
        "\($0.subject) must have at most \(ViolationText.count(max, "item")), got \(items.count)"
      }
    case .uniqueItems: return checkUnique(items, of: index)
    case .items(let prefix, let rest, let restKeyword):
      return checkItems(items, prefix: prefix, rest: rest, restKeyword: restKeyword, of: index, &parts)
    case .contains(let node, let min, let max):
      return checkContains(items, node: node, min: min, max: max, of: index, &parts)
    case .unevaluatedItems(let node):
      var isValid = true
      for (position, item) in items.enumerated() where parts?.includes(item: position) == false {
        if program.isNever(node) {
          isValid = fail("unevaluatedItems", of: index) { "\($0.subject) has an item too many at index \(position)" }
        } else if !checkPart(node, item, .item(position)) {
          isValid = false
        }
        if !isValid, !isReporting { return false }
      }
      parts?.hasAllItems = true
      return isValid
    default: return true
    }
  }

  private mutating func checkUnique(_ items: [JSONValue], of index: Int) -> Bool {
    var places: [JSONValue: Int] = [:]
    for (position, item) in items.enumerated() {
      guard let first = places.updateValue(position, forKey: item) else { continue }
      return fail("uniqueItems", of: index) {
        "\($0.subject) must not repeat an item; items \(first) and \(position) are equal"
      }
    }
    return true
  }

  private mutating func checkItems(
    _ items: [JSONValue], prefix: [Int], rest: Int?, restKeyword: String, of index: Int,
    _ parts: inout EvaluatedParts?
  ) -> Bool {
    if let rest, program.isNever(rest), items.count > prefix.count {
      let most = prefix.isEmpty ? "must be empty" : "must have at most \(ViolationText.count(prefix.count, "item"))"
      return fail(restKeyword, of: index) { "\($0.subject) \(most), got \(items.count)" }
    }
    var isValid = true
    for (position, item) in items.enumerated() {
      guard let node = position < prefix.count ? prefix[position] : rest else { break }
      if checkPart(node, item, .item(position)) { continue }
      isValid = false
      guard isReporting, violations.count < limit else { return false }
    }
    parts?.formUnion(EvaluatedParts(hasAllItems: rest != nil, prefix: min(prefix.count, items.count)))
    return isValid
  }

  private mutating func checkContains(
    _ items: [JSONValue], node: Int, min: Int, max: Int?, of index: Int, _ parts: inout EvaluatedParts?
  ) -> Bool {
    var count = 0
    for (position, item) in items.enumerated() {
      path.push(.item(position))
      defer { path.pop() }
      var none: EvaluatedParts?
      guard holds(node, item, &none) else { continue }
      count += 1
      parts?.items.insert(position)
      if parts == nil, max == nil, count >= min { return true }
    }
    if count < min {
      let keyword = min == 1 ? "contains" : "minContains"
      let wanted = "at least \(ViolationText.count(min, "item")) of the form given under `contains`"
      return fail(keyword, of: index) { "\($0.subject) must have \(wanted), got \(count)" }
    }
    if let max, count > max {
      let wanted = "at most \(ViolationText.count(max, "item")) of the form given under `contains`"
      return fail("maxContains", of: index) { "\($0.subject) must have \(wanted), got \(count)" }
    }
    return true
  }

  mutating func checkObject(
    _ keyword: SchemaKeyword, of index: Int, _ object: JSONObject, _ parts: inout EvaluatedParts?
  ) -> Bool {
    switch keyword {
    case .minProperties(let min):
      guard object.count < min else { return true }
      return fail("minProperties", of: index) {
        "\($0.subject) must have at least \(ViolationText.count(min, "member")), got \(object.count)"
      }
    case .maxProperties(let max):
      guard object.count > max else { return true }
      return fail("maxProperties", of: index) {
        "\($0.subject) must have at most \(ViolationText.count(max, "member")), got \(object.count)"
      }
    case .required(let names):
      var isValid = true
      for name in names where object[name] == nil {
        isValid = fail("required", of: index) { "\($0.subject(of: name)) is required but missing" }
        if !isReporting { return false }
      }
      return isValid
    case .dependentRequired(let entries, let keyword):
      var isValid = true
      for (key, needs) in entries where object[key] != nil {
        for name in needs where object[name] == nil {
          isValid = fail(keyword, of: index) {
            "\($0.subject(of: name)) is required because \($0.subject(of: key)) is given"
          }
        }
      }
      return isValid
    case .members(let members): return checkMembers(members, of: index, object, &parts)
    case .propertyNames(let node):
      var isValid = true
      for entry in object.entries where !checkPart(node, .string(entry.key), .key(entry.key)) {
        isValid = false
        guard isReporting, violations.count < limit else { return false }
      }
      return isValid
    case .unevaluatedProperties(let node):
      var isValid = true
      for (position, entry) in object.entries.enumerated() where parts?.includes(member: position) == false {
        path.push(.member(entry.key))
        defer { path.pop() }
        if program.isNever(node) {
          isValid = fail("unevaluatedProperties", of: index) { "\($0.subject) is not a known member" }
        } else {
          var none: EvaluatedParts?
          if !check(node, entry.value, &none) { isValid = false }
        }
        guard isValid || isReporting else { return false }
      }
      parts?.hasAllMembers = true
      return isValid
    default: return true
    }
  }

  private mutating func checkMembers(
    _ members: SchemaMembers, of index: Int, _ object: JSONObject, _ parts: inout EvaluatedParts?
  ) -> Bool {
    var isValid = true
    for (position, entry) in object.entries.enumerated() {
      var isCovered = false
      if let node = members.properties[ExactString(entry.key)] {
        isCovered = true
        if !checkPart(node, entry.value, .member(entry.key)) { isValid = false }
      }
      for (pattern, node) in members.patterns {
        switch pattern.matches(entry.key) {
        case false?: continue
        case true?:
          isCovered = true
          if !checkPart(node, entry.value, .member(entry.key)) { isValid = false }
        case nil:
          isValid = fail("patternProperties", of: index) { "a key of \($0.subject) takes too long to be checked" }
        }
      }
      if !isCovered, let additional = members.additional {
        isCovered = true
        if !checkAdditional(additional, entry, members, of: index) { isValid = false }
      }
      if isCovered { parts?.members.insert(position) }
      guard isValid || isReporting && violations.count < limit else { return false }
    }
    return isValid
  }

  private mutating func checkAdditional(
    _ node: Int, _ entry: JSONObject.Entry, _ members: SchemaMembers, of index: Int
  ) -> Bool {
    guard program.isNever(node) else { return checkPart(node, entry.value, .member(entry.key)) }
    path.push(.member(entry.key))
    defer { path.pop() }
    let known = members.names.isEmpty ? "" : "; known are \(ViolationText.names(members.names))"
    return fail("additionalProperties", of: index) { "\($0.subject) is not a known member\(known)" }
  }

  /// Checks a part of the value at hand.
  private mutating func checkPart(_ node: Int, _ value: JSONValue, _ step: ValuePath.Step) -> Bool {
    path.push(step)
    defer { path.pop() }
    var parts: EvaluatedParts?
    return check(node, value, &parts)
  }
}
