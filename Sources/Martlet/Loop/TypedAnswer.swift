import MartletJSON

/// A final reply read as the value that the schema of the answer asks for.
enum TypedAnswer {
  case value(JSONValue)
  /// What is wrong, in words for the model.
  case faults(String)

  /// Reads a reply: JSON alone, in a code fence or with words around it, mended where that loses nothing.
  init(_ text: String, schema document: JSONValue) {
    let schema: JSONSchema
    do { schema = try JSONSchema(document) } catch {
      self = .faults("the schema cannot be used: \(error)")
      return
    }
    guard let value = Self.json(in: text) else {
      self = .faults("it is not JSON")
      return
    }
    let mended = schema.coerce(value)
    let violations = schema.validate(mended, limit: 5)
    self = violations.isEmpty ? .value(mended) : .faults(violations.map(\.description).joined(separator: "; "))
  }

  private static func json(in text: String) -> JSONValue? {
    let bytes = Array(text.utf8)
    // Only whether it can be read counts here; what is wrong with it the model is told in simpler words.
    if let value = try? JSONValue(parsing: bytes) { return value }
    guard let start = bytes.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }),
      let end = bytes.lastIndex(of: bytes[start] == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")),
      end > start
    else { return nil }
    return try? JSONValue(parsing: bytes[start...end])
  }

  /// What the model is told about the form of its answer.
  static func instruction(_ schema: JSONValue) -> String {
    "Give your final answer as JSON alone, with nothing before or after it. It must fit this JSON Schema:\n"
      + schema.text()
  }

  /// What the model is told when its answer does not fit.
  static func correction(_ faults: String) -> String {
    "That answer does not have the form asked for: \(faults). Answer again, with JSON alone that fits the schema."
  }
}
