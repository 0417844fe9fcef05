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
  /// The same for an argument that was spoken of by its name.
  private static let reluctanceWhenNamed = 12.0
  /// A number that nobody said and with more digits than this is one where the model did not find the end.
  private static let runOnDigits = 12

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
      guard let value = try writeValue(name, beside: result, at: &place, limit: most, counting: &count) else {
        if !isRequired && count < limit {  // it lost its way; nobody asked for this argument
          place.written = before
          continue
        }
        result.isComplete = false
        break
      }
      let degree = grounding.degree(value)
      let isFree = schema(of: name)["enum"] == nil
      if isRequired {
        if let degree, isFree { result.grounding.append(degree) }
      } else if !belongs(value, of: name, degree: degree, preference: preference, to: result) {
        place.written = before
        continue
      } else if let degree, isFree {
        result.optionalGrounding.append(degree)
      }
      result.arguments[name] = FloatForm.apply(properties[name] ?? true, to: value)
      isFirst = false
    }
    if result.isComplete { place.written += dialect.callEnd }
    result.text = String(place.written.dropFirst(start.count))
    return result
  }

  /// The schema of an argument, with the choices that only its description lists.
  private func schema(of name: String) -> JSONValue {
    guard var schema = properties[name]?.objectValue else { return properties[name] ?? true }
    if schema["type"] == "string", schema["enum"] == nil, schema["const"] == nil, schema["pattern"] == nil,
      let description = schema["description"]?.stringValue
    {
      let choices = DescribedChoices(description).values
      if !choices.isEmpty { schema["enum"] = .array(choices.map(JSONValue.string)) }
    }
    return .object(schema)
  }

  /// Whether a value made for an optional argument should stay: it was said, or is of the kind that is not said in so
  /// many words. An argument that the model was reluctant to write must also bring something that no other has.
  private func belongs(
    _ value: JSONValue, of name: String, degree: Double?, preference: Double, to result: Result
  ) -> Bool {
    let schema = schema(of: name)
    if schema["default"] == value { return false }
    if preference < 0 {
      guard let degree else { return value.boolValue != nil && isNamed(name) }
      return degree >= 0.5 && brings(value, beside: result, but: Atoms("\(tool.name) \(tool.description) \(name)"))
    }
    guard let degree else { return true }
    return degree >= 0.5 && (schema["enum"] != nil || brings(value, beside: result, but: Atoms(tool.name + " " + name)))
  }

  /// Whether what was said speaks of an argument by its name, as of `avoid_tolls` in "with tolls avoided".
  private func isNamed(_ name: String) -> Bool {
    let words = Atoms(name).subtracting(Self.flagWords).subtracting(Atoms(tool.name))
    return words.count > 0 && 2 * words.intersection(grounding.atoms).count >= words.count
  }

  /// What names of truth values say beside their subject.
  private static let flagWords = Atoms(
    "include includes including is has have with allow allows enable enabled use show get return returns only flag want"
  )

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
    let likely = scores.indices.dropFirst().filter { index in
      scores[index] > scores[0] - (isNamed(names[index - 1]) ? Self.reluctanceWhenNamed : Self.reluctance)
    }
    guard let best = likely.max(by: { scores[$0] < scores[$1] }) else { return nil }
    return (names[best - 1], scores[best] - scores[0])
  }

  private func writeValue(
    _ name: String, beside result: Result, at place: inout ReplyPlace, limit: Int, counting count: inout Int
  ) throws -> JSONValue? {
    let schema = schema(of: name)
    let isRequired = (tool.parameters["required"]?.arrayValue ?? []).contains(.string(name))
    var limits = limits
    if SchemaGrammar.Limits.longTexts.contains(name) { limits.string = .max }
    let before = place.written
    guard let value = try writeValue(schema, starting: "", limits: limits, at: &place, limit: limit, counting: &count)
    else {
      return nil
    }
    if case .array(let items) = value, let said = withoutExamples(items) {
      place.written = before + dialect.valueStart + CallSyntax.text(.array(said), style: dialect.literals)
      return .array(said)
    }
    if case .number(let number) = value, number.text.utf8.count > Self.runOnDigits, grounding.degree(value) == 0,
      let said = try saidNumber(schema, at: before, place, beside: result)
    {
      place.written = before + dialect.valueStart + said.text
      return .number(said)
    }
    guard case .string(let text) = value, schema["enum"] == nil else { return value }
    if PlaceFormat(schema["description"]?.stringValue ?? "").lacksPart(text) {
      place.written = before
      let whole = try writeValue(
        schema, starting: text + ",", limits: limits, at: &place, limit: limit, counting: &count)
      if let whole, PlaceFormat.isPlace(whole) { return whole }
      place.written = before + dialect.valueStart + JSONValue.string(text).text()
    }
    guard (grounding.degree(value) ?? 1) < 0.5, isExample(text), let start = try saidStart(at: before, place) else {
      return value
    }
    place.written = before
    let again = try writeValue(schema, starting: start, limits: limits, at: &place, limit: limit, counting: &count)
    // Half said and half example is neither.
    if !isRequired, let again, (grounding.degree(again) ?? 1) < 1 { return nil }
    return again
  }

  /// Whether a value stands in what the tool says of itself: an example that the model repeats.
  private func isExample(_ text: String) -> Bool {
    let told = tool.description + " " + tool.parameters.text()
    if text.count > 2 { return told.contains(text) }
    return WordSet.words(told).contains(text.lowercased())
  }

  /// The texts of a list without those that nobody said and the tool gives as examples; `nil` where all or none are such.
  private func withoutExamples(_ items: [JSONValue]) -> [JSONValue]? {
    let said = items.filter { item in
      guard let text = item.stringValue, let degree = grounding.degree(item) else { return true }
      return degree > 0 || !isExample(text)
    }
    return said.isEmpty || said.count == items.count ? nil : said
  }

  /// The number that the model would write here of those that were said and that no other argument has taken.
  private func saidNumber(
    _ schema: JSONValue, at written: String, _ place: ReplyPlace, beside result: Result
  ) throws -> JSONNumber? {
    let taken = result.atoms
    let numbers = grounding.saidNumbers.compactMap { JSONNumber(text: $0) }.filter {
      (schema["type"] == "number" || $0.int != nil) && Atoms(.number($0)).subtracting(taken).count > 0
    }
    guard !numbers.isEmpty else { return nil }
    var place = place
    place.written = written + dialect.valueStart
    let scores = try place.logProbabilities(of: numbers.map { $0.text + String(dialect.callEnd.prefix(1)) })
    return scores.indices.max { scores[$0] < scores[$1] }.map { numbers[$0] }
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
