import MartletJSON

extension AnyTool {
  /// The same tool under the words of a catalogue. Effect, permission, time limit and what is done stay the tool's own.
  /// - Throws: when the parameters are no usable JSON Schema.
  func described(by entry: ToolCatalogue.Entry) throws -> AnyTool {
    var definition = definition
    definition.name = entry.name
    definition.title = entry.title ?? (entry.name == self.definition.name ? definition.title : entry.name)
    definition.description = entry.description ?? definition.description
    definition.parameters = entry.parameters ?? Self.parameters(definition.parameters, without: entry.preset)
    let schema = entry.parameters == nil && entry.preset.isEmpty ? schema : try JSONSchema(definition.parameters)
    let preset = entry.preset
    return AnyTool(definition: definition, timeout: timeout, schema: schema) { arguments, context in
      var merged = arguments
      for (key, value) in preset { merged[key] = value }
      // What the catalogue lets pass the tool itself must let pass too.
      let call = ToolCall(id: context.callId, name: self.definition.name, arguments: merged)
      switch self.prepare(call) {
      case .ready(let ready): return try await self.call(ready, context: context)
      case .refused(let reason): return .failure(reason, code: ToolResult.Code.invalidArguments.rawValue)
      }
    }
  }

  /// A schema in which some properties are not there.
  private static func parameters(_ schema: JSONValue, without preset: JSONObject) -> JSONValue {
    guard !preset.isEmpty, var object = schema.objectValue else { return schema }
    if var properties = object["properties"]?.objectValue {
      for key in preset.keys { _ = properties.removeValue(forKey: key) }
      object["properties"] = .object(properties)
    }
    if let required = object["required"]?.arrayValue {
      object["required"] = .array(required.filter { $0.stringValue.map { preset[$0] == nil } ?? true })
    }
    return .object(object)
  }
}
