import MartletJSON

/// Reads an object of a script and says where it is wrong.
struct ScriptFields {
  private let object: JSONObject
  let place: String

  /// - Parameter known: the keys that may be there; another one is a mistake of spelling.
  init(_ json: JSONValue, at place: String, known: [String]) throws(SimulatorScriptError) {
    guard let object = json.objectValue else {
      throw SimulatorScriptError(place: place, message: "an object is expected")
    }
    if let key = object.keys.first(where: { !known.contains($0) }) {
      throw SimulatorScriptError(
        place: place, message: "there is no field \"\(key)\"; there are \(known.joined(separator: ", "))")
    }
    self.object = object
    self.place = place
  }

  func value(_ key: String) -> JSONValue? { object[key].flatMap { $0.isNull ? nil : $0 } }

  func string(_ key: String) throws(SimulatorScriptError) -> String? {
    try read(key, "a string") { $0.stringValue }
  }

  func bool(_ key: String) throws(SimulatorScriptError) -> Bool? {
    try read(key, "true or false") { $0.boolValue }
  }

  func count(_ key: String, from least: Int = 0) throws(SimulatorScriptError) -> Int? {
    try read(key, "a whole number of at least \(least)") { value in value.intValue.flatMap { $0 >= least ? $0 : nil } }
  }

  func milliseconds(_ key: String) throws(SimulatorScriptError) -> Duration? {
    try count(key).map { .milliseconds($0) }
  }

  func strings(_ key: String) throws(SimulatorScriptError) -> [String]? {
    try read(key, "a list of strings") { value in
      value.arrayValue.flatMap { values in
        let strings = values.compactMap(\.stringValue)
        return strings.count == values.count ? strings : nil
      }
    }
  }

  /// A list of elements, each read with its place; empty when the key is missing.
  func list<Element>(_ key: String, _ element: (JSONValue, String) throws -> Element) throws -> [Element] {
    guard let values = try read(key, "a list", { $0.arrayValue }) else { return [] }
    return try values.enumerated().map { try element($0.element, "\(place).\(key)[\($0.offset)]") }
  }

  private func read<Value>(
    _ key: String, _ expected: String, _ convert: (JSONValue) -> Value?
  ) throws(SimulatorScriptError) -> Value? {
    guard let json = value(key) else { return nil }
    guard let value = convert(json) else {
      throw SimulatorScriptError(place: "\(place).\(key)", message: "\(expected) is expected")
    }
    return value
  }
}
