import Martlet
import MartletJSON

/// The values of a call, and what is mended in them.
extension CallWriter {
  /// Writes the value of an argument; `nil` where the limit came first, or where an optional one came to nothing.
  func writeValue(
    _ name: String, beside result: Result, at place: inout ReplyPlace, limit: Int, counting count: inout Int
  ) throws -> JSONValue? {
    let schema = schema(of: name)
    var limits = limits
    if SchemaGrammar.Limits.longTexts.contains(name) { limits.string = .max }
    let before = place.written
    let draft = draft(schema, beside: result)
    guard
      let value = try writeValue(
        schema, starting: "", limits: limits, draft: draft, at: &place, limit: limit, counting: &count)
    else {
      return nil
    }
    let kept = grounding.coordinates.signed(withoutInventions(value, schema: schema))
    if kept != value {
      place.written = before + dialect.valueStart + CallSyntax.text(kept, style: dialect.literals)
      return kept
    }
    if case .number(let number) = value, grounding.degree(value) == 0,
      number.text.utf8.count > Self.runOnDigits || !required.contains(name) && isNamed(name),
      let said = try saidNumber(schema, at: before, place, beside: result)
    {
      place.written = before + dialect.valueStart + said.text
      return .number(said)
    }
    guard case .string(let text) = value, schema["enum"] == nil else { return value }
    if PlaceFormat(schema["description"]?.stringValue ?? "").lacksPart(text) {
      place.written = before
      let whole = try writeValue(
        schema, starting: text + ",", limits: limits, draft: nil, at: &place, limit: limit, counting: &count)
      if let whole, PlaceFormat.isPlace(whole) { return whole }
      place.written = before + dialect.valueStart + JSONValue.string(text).text()
    }
    guard (grounding.degree(value) ?? 1) < 0.5, isExample(text), let start = try saidStart(at: before, place) else {
      return value
    }
    place.written = before
    let again = try writeValue(
      schema, starting: start, limits: limits, draft: draft.after("\"" + start), at: &place, limit: limit,
      counting: &count)
    // Half said and half example is neither.
    if !required.contains(name), let again, (grounding.degree(again) ?? 1) < 1 { return nil }
    return again
  }

  /// What a value may be: one of its choices, or something that was said, numbers in the order they were said in.
  private func draft(_ schema: JSONValue, beside result: Result) -> ValueDraft {
    let choices = (schema["enum"]?.arrayValue ?? []).map { CallSyntax.text($0, style: dialect.literals) }
    let taken = result.atoms
    let isNumber = ["number", "integer", "float"].contains(schema["type"]?.stringValue)
    let numbers = isNumber ? grounding.saidNumbers.filter { Atoms($0).subtracting(taken).count > 0 } : []
    return ValueDraft(said: grounding.said, choices: choices, numbers: numbers, start: dialect.valueStart)
  }

  /// Whether a value stands in what the tool says of itself: an example that the model repeats.
  private func isExample(_ text: String) -> Bool {
    let told = tool.description + " " + tool.parameters.text()
    if text.count > 2 { return told.contains(text) }
    return WordSet.words(told).contains(text.lowercased())
  }

  /// A value without what nobody asked for in it: texts of a list that the tool gives as examples, and optional members
  /// of objects that were neither said nor named.
  private func withoutInventions(_ value: JSONValue, schema: JSONValue) -> JSONValue {
    switch value {
    case .array(let items):
      let items = items.map { withoutInventions($0, schema: schema["items"] ?? true) }
      let said = items.filter { item in
        guard let text = item.stringValue, let degree = grounding.degree(item) else { return true }
        return degree > 0 || !isExample(text)
      }
      return .array(said.isEmpty ? items : said)
    case .object(let members):
      let required = schema["required"]?.arrayValue ?? []
      var kept: JSONObject = [:]
      for (name, member) in members {
        let itsSchema = schema["properties"]?[name] ?? true
        let isWanted =
          required.contains(.string(name)) || (grounding.degree(member) ?? 0) >= 0.5 || isNamed(name)
          || member.objectValue != nil
        if isWanted, itsSchema["default"] != member || required.contains(.string(name)) {
          kept[name] = withoutInventions(member, schema: itsSchema)
        }
      }
      return .object(kept)
    default: return value
    }
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
    _ schema: JSONValue, starting: String, limits: SchemaGrammar.Limits, draft: ValueDraft?,
    at place: inout ReplyPlace, limit: Int, counting count: inout Int
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
    let (_, ending) = try place.write(
      grammar: grammar, options: GenerationOptions(sampling: sampling, maximumTokens: max(1, limit)), draft: draft,
      counting: &count
    ) { piece in
      for character in piece.unicodeScalars {
        if value.isEmpty, String(character) == start { continue }
        if character.isASCII, scanner.ends(at: UInt8(character.value)) { return true }
        value.unicodeScalars.append(character)
      }
      return false
    }
    switch ending {
    case .complete: break
    case .limit: return nil
    case .stuck:
      guard let list = ValueScanner.listWithoutRepeats(value) else { return nil }
      value = list
    }
    place.written = before + start + value
    return try CallSyntax.value(value, style: dialect.literals)
  }
}
