import MartletJSON

/// A tool of another program, as a recording keeps it: all that an agent does with it before it is called.
struct RecordedTool: Sendable, Hashable {
  let definition: ToolDefinition
  /// What a catalogue adds to the arguments; nil of a tool as it is.
  let preset: JSONObject?
  /// Those among them that the schema does not name.
  let hidden: [String]

  init(_ tool: AnyTool) {
    definition = tool.definition
    preset = tool.preset?.arguments
    hidden = (tool.preset?.hidden ?? []).sorted()
  }

  init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    definition = try fields.value("definition")
    preset = try fields.objectIfPresent("preset")
    hidden = try fields["hidden"] == nil ? [] : fields.strings("hidden")
  }

  var json: JSONValue {
    var json: JSONObject = ["definition": definition.json]
    if let preset {
      json["preset"] = .object(preset)
      json["hidden"] = .array(hidden.map { .string($0) })
    }
    return .object(json)
  }

  /// What stands in for it.
  /// - Parameter own: the tool itself, where it is there, for what is live.
  /// - Throws: when its parameters are no usable JSON Schema.
  func standIn(for own: AnyTool?) throws -> AnyTool {
    AnyTool(
      definition: definition, schema: try JSONSchema(definition.parameters),
      preset: preset.map { arguments in
        AnyTool.Preset(arguments: arguments, hidden: Set(hidden)) { call in
          // It passed the tool's own check when it was recorded.
          if case .object(let arguments) = call.arguments { .ready(arguments) } else { .refused("no object") }
        }
      }, timeout: own?.timeout, isRemote: true
    ) { [definition] arguments, context in
      if let own { return try await own.call(arguments, context: context) }
      return .failure(
        "\(definition.name) is not available: the program that has it is not running here.", code: "server_unavailable")
    }
  }
}

/// What was offered of other programs' tools when a session's tools were looked at for the nth time.
struct RecordedOffer: Sendable {
  var turn: Int
  var tools: [RecordedTool]
}
