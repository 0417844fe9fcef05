import Martlet
import MartletJSON

/// Writes one call, argument by argument: what must be there is given, values are made under the grammar of their
/// schema, and optional arguments only where what was said gives them a value.
struct CallWriter {
  let tool: ToolDefinition
  let dialect: CallDialect
  var limits = SchemaGrammar.Limits()
  let grounding: Grounding
  let sampling: Sampling

  /// How much less likely than the end of the call an optional argument may be to be tried. Measured: arguments that
  /// were asked for are up to 4.4 less likely (Qwen2.5-Coder-0.5B, natural logarithm), and the rule of `brings` refuses
  /// most others.
  private static let reluctance = 6.0
  /// The most tokens of an optional value that is only tried, and of one the model prefers to write.
  private static let triedTokens = 32
  private static let optionalTokens = 256

  /// A written call.
  struct Result {
    var arguments: JSONObject
    /// What was written, with how the call starts and ends.
    var text: String
    /// How far each required value that could have been said was said.
    var grounding: [Double]
    /// The same of the optional values that were kept.
    var optionalGrounding: [Double] = []
    var isComplete: Bool

    /// What the values that were said are made of.
    var atoms: Atoms { Atoms(.object(arguments)) }
  }

  private var properties: JSONObject { tool.parameters["properties"]?.objectValue ?? [:] }

  /// Writes the call at a place, which then stands behind it.
  func write(at place: inout ReplyPlace, limit: Int, counting count: inout Int) throws -> Result {
    let start = place.written
    let required = (tool.parameters["required"]?.arrayValue ?? []).compactMap(\.stringValue)
    var pending = properties.map(\.key).filter { required.contains($0) }
    var optional = properties.map(\.key).filter { !required.contains($0) }
    var result = Result(arguments: [:], text: "", grounding: [], isComplete: true)
    place.written += dialect.callStart(tool.name)
    var isFirst = true
    while true {
      let name: String
      var preference = 0.0
      let before = place.written
      let isRequired = !pending.isEmpty
      if isRequired {
        name = pending.removeFirst()
      } else {
        guard let chosen = try chooseOptional(optional, at: place, isFirst: isFirst) else { break }
        name = chosen.name
        preference = chosen.preference
        optional.removeAll { $0 == name }
      }
      place.written += (isFirst ? "" : ", ") + dialect.argument(name)
      let room = limit - count
      let most = isRequired ? room : min(room, preference < 0 ? Self.triedTokens : Self.optionalTokens)
      guard let value = try writeValue(name, at: &place, limit: most, counting: &count) else {
        if !isRequired && count < limit {  // it lost its way; nobody asked for this argument
          place.written = before
          continue
        }
        result.isComplete = false
        break
      }
      let degree = grounding.degree(value)
      let isFree = properties[name]?["enum"] == nil
      if isRequired {
        if let degree, isFree { result.grounding.append(degree) }
      } else if !belongs(value, degree: degree, schema: properties[name] ?? true, preference: preference, to: result) {
        place.written = before
        continue
      } else if let degree, isFree {
        result.optionalGrounding.append(degree)
      }
      result.arguments[name] = value
      isFirst = false
    }
    if result.isComplete { place.written += dialect.callEnd }
    result.text = String(place.written.dropFirst(start.count))
    return result
  }

  /// Whether a value made for an optional argument should stay: it was said, or is of the kind that is not said in so
  /// many words. An argument that the model was reluctant to write must also bring something that no other has.
  private func belongs(
    _ value: JSONValue, degree: Double?, schema: JSONValue, preference: Double, to result: Result
  ) -> Bool {
    if schema["default"] == value { return false }
    if preference < 0 {
      guard let degree, degree >= 0.5 else { return false }
      return brings(value, beside: result, but: Atoms(tool.name + " " + tool.description))
    }
    guard let degree else { return true }
    return degree >= 0.5 && (schema["enum"] != nil || brings(value, beside: result, but: Atoms(tool.name)))
  }

  /// Whether a value has something that was said, that no other argument has, and that does not only say which tool is
  /// meant.
  private func brings(_ value: JSONValue, beside result: Result, but ownWords: Atoms) -> Bool {
    grounding.atoms.intersection(Atoms(value)).subtracting(result.atoms).subtracting(ownWords).count > 0
  }

  /// The optional argument the model would write next and by how much it prefers that to the end of the call, or `nil`
  /// for the end.
  ///
  /// One that is up to `reluctance` less likely than the end is tried too: whether its value was said decides then.
  private func chooseOptional(
    _ names: [String], at place: ReplyPlace, isFirst: Bool
  ) throws -> (name: String, preference: Double)? {
    guard !names.isEmpty else { return nil }
    let starts = names.map { (isFirst ? "" : ", ") + dialect.argument($0) + dialect.valueStart }
    let scores = try place.logProbabilities(of: [dialect.callEnd] + starts)
    guard let best = scores.indices.dropFirst().max(by: { scores[$0] < scores[$1] }),
      scores[best] > scores[0] - Self.reluctance
    else { return nil }
    return (names[best - 1], scores[best] - scores[0])
  }

  private func writeValue(
    _ name: String, at place: inout ReplyPlace, limit: Int, counting count: inout Int
  ) throws -> JSONValue? {
    let schema = properties[name] ?? true
    var limits = limits
    if SchemaGrammar.Limits.longTexts.contains(name) { limits.string = .max }
    let before = place.written
    guard let value = try writeValue(schema, starting: "", limits: limits, at: &place, limit: limit, counting: &count)
    else {
      return nil
    }
    guard case .string(let text) = value, (grounding.degree(value) ?? 1) < 0.5, isExample(text),
      let start = try saidStart(at: before, place)
    else { return value }
    place.written = before
    return try writeValue(schema, starting: start, limits: limits, at: &place, limit: limit, counting: &count)
  }

  /// Whether a value stands in what the tool says of itself: an example that the model repeats.
  private func isExample(_ text: String) -> Bool {
    text.count > 2 && (tool.description + tool.parameters.text()).contains(text)
  }

  /// The word of those that were said with which the model would start a text here.
  private func saidStart(at written: String, _ place: ReplyPlace) throws -> String? {
    var place = place
    place.written = written + dialect.valueStart + "\""
    let words = grounding.starts
    guard !words.isEmpty else { return nil }
    let scores = try place.logProbabilities(of: words)
    return scores.indices.max { scores[$0] < scores[$1] }.map { words[$0] }
  }

  private func writeValue(
    _ schema: JSONValue, starting: String, limits: SchemaGrammar.Limits, at place: inout ReplyPlace, limit: Int,
    counting count: inout Int
  ) throws -> JSONValue? {
    let start = dialect.valueStart
    let opening = starting.isEmpty ? start : start + "\"" + starting
    let grammar =
      starting.isEmpty
      ? try SchemaGrammar.text(
        schema, in: tool.parameters, style: dialect.literals, limits: limits, start: start,
        endings: [",", String(dialect.callEnd.prefix(1))])
      : try SchemaGrammar.restOfString(limits: limits, endings: [",", String(dialect.callEnd.prefix(1))])
    var scanner = ValueScanner()
    var value = ""
    let before = place.written
    if !starting.isEmpty {
      place.written += opening
      value = "\"" + starting
      for byte in value.utf8 { _ = scanner.ends(at: byte) }
    }
    let (_, isComplete) = try place.write(
      grammar: grammar, options: GenerationOptions(sampling: sampling, maximumTokens: max(1, limit)), counting: &count
    ) { piece in
      for character in piece.unicodeScalars {
        if value.isEmpty, String(character) == start { continue }
        if character.isASCII, scanner.ends(at: UInt8(character.value)) { return true }
        value.unicodeScalars.append(character)
      }
      return false
    }
    guard isComplete else { return nil }
    place.written = before + start + value
    return try CallSyntax.value(value, style: dialect.literals)
  }
}
