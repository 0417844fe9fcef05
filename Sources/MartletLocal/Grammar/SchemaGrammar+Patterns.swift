import MartletJSON

extension SchemaGrammar {
  /// A string that matches a regular expression from its start to its end, or `nil` where only validation can tell
  /// (lookaround, word boundaries, anchors in the middle, repetitions that llama.cpp refuses).
  ///
  /// A pattern without anchors would also take other text around the match; a model needs no such freedom.
  mutating func patterned(_ source: String, at path: String) throws(SchemaGrammarError) -> String? {
    let syntax: PatternNode
    do throws(PatternError) {
      syntax = try Pattern(source).syntax
    } catch {
      throw SchemaGrammarError(.unsupported, path: path, "the pattern cannot be read: \(error.message)")
    }
    guard let body = try expression(Self.trimmed(syntax)) else { return nil }
    return "\"\\\"\" \(body) \"\\\"\""
  }

  /// The syntax without the anchors around it.
  private static func trimmed(_ node: PatternNode) -> PatternNode {
    switch node {
    case .boundary(.start), .boundary(.end): return .empty
    case .alternation(let branches): return .alternation(branches.map(trimmed))
    case .concatenation(var parts):
      if parts.first == .boundary(.start) { parts.removeFirst() }
      if parts.last == .boundary(.end) { parts.removeLast() }
      return .concatenation(parts)
    default: return node
    }
  }

  private mutating func expression(_ node: PatternNode) throws(SchemaGrammarError) -> String? {
    switch node {
    case .empty: return "\"\""
    case .scalar(let members): return try scalars(members)
    case .concatenation(let parts):
      var expressions: [String] = []
      for part in parts {
        guard let expression = try expression(part) else { return nil }
        expressions.append(expression)
      }
      return expressions.isEmpty ? "\"\"" : expressions.joined(separator: " ")
    case .alternation(let branches):
      var expressions: [String] = []
      for branch in branches {
        guard let expression = try expression(branch) else { return nil }
        expressions.append(expression)
      }
      return "( \(expressions.joined(separator: " | ")) )"
    case .repetition(let part, let least, let most):
      guard let expression = try expression(part), least <= Self.maximumRepetition else { return nil }
      let most = min(most ?? max(least, limits.string), Self.maximumRepetition)
      return try grammar.rule(expression, named: "part") + "{\(least),\(most)}"
    case .boundary, .lookaround: return nil
    }
  }

  /// One character of a class, escaped where JSON asks for it. Where the class speaks of Unicode properties, all
  /// characters beyond ASCII are let through, and validation decides.
  private mutating func scalars(_ members: ScalarClass) throws(SchemaGrammarError) -> String? {
    var inside = ""
    func add(_ range: ClosedRange<UInt32>) {
      inside += GBNF.escape(range.lowerBound)
      if range.count > 1 { inside += "-" + GBNF.escape(range.upperBound) }
    }
    let isPlain = { (value: UInt32) in value >= 0x20 && value != 0x22 && value != 0x5C && value != 0x7F }
    var start: UInt32?
    for value in UInt32(0)...0x80 {
      if value < 0x80, isPlain(value), members.contains(value) {
        start = start ?? value
      } else if let first = start {
        add(first...value - 1)
        start = nil
      }
    }
    for range in Self.beyondASCII(members) { add(range) }
    var choices = inside.isEmpty ? [] : ["[\(inside)]"]
    for value in UInt32(0)..<0x80 where !isPlain(value) && members.contains(value) {
      guard let text = Unicode.Scalar(value).map({ JSONValue.string(String($0)).text().dropFirst().dropLast() }) else {
        continue
      }
      choices.append(GBNF.literal(String(text)))
    }
    return choices.isEmpty ? nil : try grammar.rule(choices.joined(separator: " | "), named: "class")
  }

  private static func beyondASCII(_ members: ScalarClass) -> [ClosedRange<UInt32>] {
    // Surrogates are not characters.
    let all: [ClosedRange<UInt32>] = [0x80...0xD7FF, 0xE000...ScalarClass.maximum]
    guard members.properties.isEmpty else { return all }
    let wanted = members.isNegated ? ScalarClass.complement(members.ranges) : members.ranges
    return wanted.flatMap { range in
      all.compactMap { part in
        range.overlaps(part) ? range.clamped(to: part) : nil
      }
    }
  }
}
