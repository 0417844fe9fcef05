public import MartletJSON

/// A `generateContent` request as its rules see it.
public struct GeminiRequest: Sendable {
  let json: JSONValue
  /// Whether calls must come back with their thought signatures: Gemini 3 and later.
  let needsSignatures: Bool
  let contents: [JSONValue]
  /// Contents with neighbours of one role merged, as the service takes them.
  let turns: [Turn]

  struct Turn: Sendable {
    let role: String
    var parts: [JSONValue]
    /// Where it begins among the contents.
    let first: Int

    var isModel: Bool { role == "model" }
    var calls: [JSONValue] { parts.compactMap { $0["functionCall"] ?? $0["function_call"] } }
    var responses: [JSONValue] { parts.compactMap { $0["functionResponse"] ?? $0["function_response"] } }
  }

  /// A request.
  /// - Parameters:
  ///   - json: The body.
  ///   - model: The model in the address.
  public init(_ json: JSONValue, model: String) {
    self.json = json
    let name = model.split(separator: "/").last.map(String.init) ?? model
    needsSignatures = name.hasPrefix("gemini-") && (name.dropFirst("gemini-".count).first?.wholeNumberValue ?? 0) >= 3
    contents = json.elements("contents")
    var turns: [Turn] = []
    for (index, content) in contents.enumerated() {
      let role = content.text("role") ?? "user"
      if let last = turns.indices.last, turns[last].role == role {
        turns[last].parts += content.elements("parts")
      } else {
        turns.append(Turn(role: role, parts: content.elements("parts"), first: index))
      }
    }
    self.turns = turns
  }

  /// Declared functions with the path of each.
  var functions: [(path: String, json: JSONValue)] {
    json.elements("tools").enumerated().flatMap { index, tool in
      (tool.elements("functionDeclarations") + tool.elements("function_declarations")).enumerated().map {
        ("tools[\(index)].function_declarations[\($0.offset)]", $0.element)
      }
    }
  }
}
