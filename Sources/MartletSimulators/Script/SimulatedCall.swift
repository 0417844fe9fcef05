public import MartletJSON

/// A tool call of a simulated model.
public struct SimulatedCall: Sendable, Hashable {
  /// The tool's name.
  public var name: String
  /// The arguments as the model writes them: JSON, or anything else to see what a client makes of it.
  public var argumentsText: String
  /// The call's id, where the protocol has one; nil for one like the provider's own.
  public var id: String?

  /// A call with arguments that are JSON.
  public init(_ name: String, _ arguments: JSONObject = [:], id: String? = nil) {
    self.init(name, text: JSONValue.object(arguments).text(), id: id)
  }

  /// A call with arguments as text.
  public init(_ name: String, text: String, id: String? = nil) {
    self.name = name
    argumentsText = text
    self.id = id
  }

  init(json: JSONValue, at place: String) throws {
    let fields = try ScriptFields(json, at: place, known: ["name", "arguments", "arguments_text", "id"])
    guard let name = try fields.string("name") else {
      throw SimulatorScriptError(place: place, message: "a call needs a name")
    }
    let text = try fields.string("arguments_text") ?? fields.value("arguments")?.text() ?? "{}"
    self.init(name, text: text, id: try fields.string("id"))
  }

  /// The arguments for protocols that send them as a value; what is no JSON becomes a string.
  var argumentsValue: JSONValue {
    do { return try JSONValue(parsing: argumentsText) } catch { return .string(argumentsText) }
  }
}
