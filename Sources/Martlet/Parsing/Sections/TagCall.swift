import MartletJSON

/// A call of which the arguments come one by one.
struct TagCall: Sendable {
  private let name: String
  private let schema: JSONValue?
  private let depthLimit: Int
  private var arguments = JSONObject()
  private var duplicate: String?
  private(set) var repairs: [ToolCallParser.Repair] = []

  init(name: String, _ cursor: ByteCursor) {
    self.name = name
    schema = cursor.tools.schema(of: name)
    depthLimit = cursor.limits.depth
  }

  mutating func note(_ repair: ToolCallParser.Repair) {
    if !repairs.contains(repair) { repairs.append(repair) }
  }

  /// Adds an argument as the model wrote it and returns its piece of the arguments as JSON text.
  /// `isString` is what the markup says of it, where it says something.
  mutating func add(_ key: String, _ text: String, isString: Bool? = nil) -> String {
    var types = SchemaTypes(of: key, in: schema)
    if types == .all, let isString { types = isString ? .string : types.subtracting(.string) }
    let value = ParameterValue(types: types, depthLimit: depthLimit).value(text)
    let opening = arguments.isEmpty ? "{" : ","
    if arguments[key] != nil { duplicate = key }
    arguments[key] = value
    return opening + JSONValue.string(key).text() + ":" + value.text()
  }

  /// What completes the JSON text of the arguments.
  var textEnd: String { arguments.isEmpty ? "{}" : "}" }

  /// The call.
  func read() -> ToolCallParser.Call {
    if let duplicate {
      let text = JSONValue.object(arguments).text()
      return .init(
        name: name, arguments: .unparsed(text: text, reason: "the parameter \"\(duplicate)\" is given twice"))
    }
    return .init(name: name, arguments: .object(arguments), repairs: repairs)
  }
}
