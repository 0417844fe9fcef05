import MartletJSON

extension SchemaGrammar {
  mutating func object(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    let properties = schema["properties"]?.objectValue ?? [:]
    let required = (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue)
    var first: [String] = []
    var optional: [String] = []
    for (name, property) in properties {
      do throws(SchemaGrammarError) {
        let member = try member(name, property, at: "\(path)/properties/\(name)")
        if required.contains(name) { first.append(member) } else { optional.append(member) }
      } catch {
        // A property that can have no value can still be left out.
        guard error.code == .unsatisfiable, !required.contains(name) else { throw error }
      }
    }
    for name in required where properties[name] == nil {
      if schema["additionalProperties"] == false { continue }  // contradictory, but what is declared can be written
      first.append(try member(name, schema["additionalProperties"] ?? true, at: path))
    }
    var body = first.joined(separator: " \", \" ")
    let free = try freeMember(schema, declared: Set(properties.map(\.key)).union(required), at: path)
    let tail = try optionalMembers(optional, free: free, afterSomething: !first.isEmpty, schema)
    if !tail.isEmpty { body += (body.isEmpty ? "" : " ") + tail }
    return body.isEmpty ? "\"{}\"" : "\"{\" \(body) \"}\""
  }

  private mutating func member(
    _ name: String, _ schema: JSONValue, at path: String
  ) throws(SchemaGrammarError) -> String {
    let outer = limits
    defer { limits = outer }
    if Limits.longTexts.contains(name) { limits.string = .max }
    let value = try inside { me throws(SchemaGrammarError) in try me.value(schema, at: path) }
    return try grammar.rule("\(GBNF.literal(JSONValue.string(name).text() + ": ")) \(value)", named: "member")
  }

  /// A member under a name the schema does not list, where it allows such.
  private mutating func freeMember(
    _ schema: JSONObject, declared: Set<String>, at path: String
  ) throws(SchemaGrammarError) -> String? {
    let rule = schema["additionalProperties"]
    // Declared properties without a word on others: models should not invent any.
    if rule == false || (rule == nil && !declared.isEmpty) { return nil }
    let value = try inside { me throws(SchemaGrammarError) in
      try me.value(rule ?? true, at: "\(path)/additionalProperties")
    }
    let key = try undeclaredKey(declared)
    return try grammar.rule("\(key) \": \" \(value)", named: "free")
  }

  /// Optional members in order, each there or not, then free ones: one rule for each place, so size stays linear.
  private mutating func optionalMembers(
    _ members: [String], free: String?, afterSomething: Bool, _ schema: JSONObject
  ) throws(SchemaGrammarError) -> String {
    let most = max(0, min(schema["maxProperties"]?.intValue ?? limits.items, limits.items))
    var rest = ""  // what may follow once something was written
    var begin = ""  // the same with nothing written before
    if let free, most > 0 {
      rest = "( \", \" \(free) ){0,\(most)}"
      begin = "( \(free) ( \", \" \(free) ){0,\(most - 1)} )?"
    }
    for member in members.reversed() {
      let after = rest.isEmpty ? "" : " " + (try grammar.rule(rest, named: "rest"))
      let later = begin.isEmpty ? "" : try grammar.rule(begin, named: "begin")
      begin = later.isEmpty ? "( \(member)\(after) )?" : "\(member)\(after) | \(later)"
      rest = "( \", \" \(member) )?\(after)"
    }
    let result = afterSomething ? rest : begin
    return result.contains(" | ") ? try grammar.rule(result, named: "begin") : result
  }

  /// A string that is none of the declared names: the same characters up to the first that differs, then anything.
  private mutating func undeclaredKey(_ names: Set<String>) throws(SchemaGrammarError) -> String {
    let plain = names.filter { name in name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" } }
    guard !plain.isEmpty else { return try string(["minLength": 1, "maxLength": 80], at: "") }
    var root = Trie()
    for name in plain { root.insert(name.unicodeScalars[...]) }
    let body = try keyRule(root)
    return try grammar.rule("\"\\\"\" \(body) \"\\\"\"", named: "key")
  }

  private mutating func keyRule(_ trie: Trie) throws(SchemaGrammarError) -> String {
    let character = try stringCharacter()
    let children = trie.children.sorted { $0.key < $1.key }
    let others = children.map { GBNF.escape($0.key.value) }.joined()
    var choices = ["[^\"\\\\\\x00-\\x1F\\x7F\(others)] \(character){0,79}"]
    for (scalar, child) in children {
      let after = child.children.isEmpty ? "\(character){1,79}" : try keyRule(child)
      let end = child.isName || child.children.isEmpty ? "" : "?"
      choices.append("[\(GBNF.escape(scalar.value))] ( \(after) )\(end)")
    }
    return try grammar.rule(choices.joined(separator: " | "), named: "other")
  }

  private struct Trie {
    var children: [Unicode.Scalar: Trie] = [:]
    var isName = false

    mutating func insert(_ name: Substring.UnicodeScalarView) {
      guard let first = name.first else {
        isName = true
        return
      }
      children[first, default: Trie()].insert(name.dropFirst())
    }
  }

  // MARK: Arrays

  mutating func array(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    var fixed: [String] = []
    let tuple = schema["prefixItems"]?.arrayValue ?? schema["items"]?.arrayValue ?? []
    for (index, item) in tuple.enumerated() {
      fixed.append(
        try inside { me throws(SchemaGrammarError) in try me.value(item, at: "\(path)/prefixItems/\(index)") })
    }
    let more = schema["items"].flatMap { $0.arrayValue == nil ? $0 : schema["additionalItems"] } ?? true
    let least = max(0, schema["minItems"]?.intValue ?? 0)
    var most = schema["maxItems"]?.intValue ?? max(limits.items, least)
    guard most >= least else {
      throw SchemaGrammarError(.unsatisfiable, path: path, "maxItems is less than minItems")
    }
    var item: String?
    if more == false {
      most = min(most, fixed.count)
      guard most >= least else { throw SchemaGrammarError(.unsatisfiable, path: path, "there are too few items") }
    } else if most > fixed.count {
      do throws(SchemaGrammarError) {
        item = try grammar.rule(
          inside { me throws(SchemaGrammarError) in try me.value(more, at: "\(path)/items") }, named: "item")
      } catch {
        guard error.code == .unsatisfiable, least <= fixed.count else { throw error }
      }
    }
    // From the last place to the first: what may follow it.
    var rest = ""
    if let item {
      let low = max(0, least - fixed.count)
      let high = min(most - fixed.count, 2000)
      guard low <= high else { throw SchemaGrammarError(.tooLarge, path: path, "minItems is too large") }
      if fixed.isEmpty {
        if high == 0 { return "\"[]\"" }
        let tail = "\(item) ( \", \" \(item) ){\(max(0, low - 1)),\(high - 1)}"
        return low > 0 ? "\"[\" \(tail) \"]\"" : "\"[\" ( \(tail) )? \"]\""
      }
      rest = "( \", \" \(item) ){\(low),\(high)}"
    }
    for (index, expression) in fixed.prefix(most).enumerated().reversed() {
      let comma = index == 0 ? "" : "\", \" "
      let body = "( \(comma)\(expression) \(rest) )"
      rest = index < least ? body : body + "?"
    }
    return "\"[\" \(rest) \"]\""
  }
}
