import Martlet
import MartletJSON

/// Writes one call, argument by argument: what must be there is given, values are made under the grammar of their
/// schema, and optional arguments only where what was said gives them a value.
struct CallWriter {
  let tool: ToolDefinition
  let dialect: CallDialect
  let limits: SchemaGrammar.Limits
  let grounding: Grounding
  let sampling: Sampling

  /// A written call.
  struct Result {
    var arguments: JSONObject
    /// What was written, with how the call starts and ends.
    var text: String
    /// How far each required value that could have been said was said.
    var grounding: [Double]
    var isComplete: Bool
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
      let before = place.written
      let isRequired = !pending.isEmpty
      if isRequired {
        name = pending.removeFirst()
      } else {
        guard let chosen = try chooseOptional(optional, at: place, isFirst: isFirst) else { break }
        name = chosen
        optional.removeAll { $0 == name }
      }
      place.written += (isFirst ? "" : ", ") + dialect.argument(name)
      guard let value = try writeValue(properties[name] ?? true, at: &place, limit: limit - count, counting: &count)
      else {
        result.isComplete = false
        break
      }
      let degree = grounding.degree(value)
      if isRequired {
        if let degree, properties[name]?["enum"] == nil { result.grounding.append(degree) }
      } else if !belongs(value, degree: degree, schema: properties[name] ?? true) {
        place.written = before
        continue
      }
      result.arguments[name] = value
      isFirst = false
    }
    if result.isComplete { place.written += dialect.callEnd }
    result.text = String(place.written.dropFirst(start.count))
    return result
  }

  /// Whether a value made for an optional argument should stay.
  private func belongs(_ value: JSONValue, degree: Double?, schema: JSONValue) -> Bool {
    if schema["default"] == value { return false }
    guard let degree else { return true }
    return degree >= 0.5
  }

  /// The optional argument the model would write next, or `nil` for the end of the call.
  private func chooseOptional(_ names: [String], at place: ReplyPlace, isFirst: Bool) throws -> String? {
    guard !names.isEmpty else { return nil }
    let starts = names.map { (isFirst ? "" : ", ") + dialect.argument($0) + dialect.valueStart }
    let scores = try place.logProbabilities(of: [dialect.callEnd] + starts)
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best > 0 else { return nil }
    return names[best - 1]
  }

  private func writeValue(
    _ schema: JSONValue, at place: inout ReplyPlace, limit: Int, counting count: inout Int
  ) throws -> JSONValue? {
    let start = dialect.valueStart
    let grammar = try SchemaGrammar.text(
      schema, in: tool.parameters, style: dialect.literals, limits: limits, start: start,
      endings: [",", String(dialect.callEnd.prefix(1))])
    var scanner = ValueScanner()
    var value = ""
    let before = place.written
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
