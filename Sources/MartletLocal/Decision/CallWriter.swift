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
  /// The schemas of the arguments, with the choices that only their descriptions list.
  private let properties: JSONObject
  let required: Set<String>

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
  static let runOnDigits = 12

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

  init(tool: ToolDefinition, dialect: CallDialect, grounding: Grounding, sampling: Sampling) {
    self.tool = tool
    self.dialect = dialect
    self.grounding = grounding
    self.sampling = sampling
    var properties = tool.parameters["properties"]?.objectValue ?? [:]
    for (name, schema) in properties { properties[name] = Self.withDescribedChoices(schema) }
    self.properties = properties
    required = Set((tool.parameters["required"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  /// Writes the call at a place, which then stands behind it.
  func write(at place: inout ReplyPlace, limit: Int, counting count: inout Int) throws -> Result {
    let start = place.written
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
      result.arguments[name] = FloatForm.apply(schema(of: name), to: value)
      isFirst = false
    }
    if result.isComplete { place.written += dialect.callEnd }
    result.text = String(place.written.dropFirst(start.count))
    return result
  }

  func schema(of name: String) -> JSONValue { properties[name] ?? true }

  private static func withDescribedChoices(_ schema: JSONValue) -> JSONValue {
    guard var members = schema.objectValue, members["type"] == "string",
      !["enum", "const", "pattern"].contains(where: { members[$0] != nil }),
      let description = members["description"]?.stringValue
    else { return schema }
    let choices = DescribedChoices(description).values
    if !choices.isEmpty { members["enum"] = .array(choices.map(JSONValue.string)) }
    return .object(members)
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
  func isNamed(_ name: String) -> Bool {
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
}
