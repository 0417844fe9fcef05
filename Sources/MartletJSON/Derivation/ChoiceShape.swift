/// The values of an enum that lists its cases and is coded as its raw values.
struct ChoiceShape {
  let schema: JSONObject
  let sample: any Decodable

  static func of<T: Decodable>(_ type: T.Type) throws -> ChoiceShape? {
    guard let choices = type as? any (CaseIterable & RawRepresentable & Decodable).Type else { return nil }
    return choice(choices)
  }

  private static func choice<T: CaseIterable & RawRepresentable & Decodable>(_ type: T.Type) -> ChoiceShape? {
    let values = type.allCases.compactMap { json($0.rawValue) }
    guard let first = type.allCases.first, values.count == type.allCases.count, let example = values.first else {
      return nil
    }
    // A hand-written init(from:) may read something else than raw values.
    do {
      guard json(try example.decode(type).rawValue) == example else { return nil }
    } catch {
      return nil
    }
    let name: JSONValue = example.stringValue == nil ? "integer" : "string"
    return ChoiceShape(schema: ["type": name, "enum": .array(values)], sample: first)
  }

  private static func json<T>(_ value: T) -> JSONValue? {
    switch value {
    case let text as String: return .string(text)
    case let number as any BinaryInteger: return .number(JSONNumber(number))
    default: return nil
    }
  }
}
