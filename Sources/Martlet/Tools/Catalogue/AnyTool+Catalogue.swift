import MartletJSON

extension AnyTool {
  /// The same tool under the words of a catalogue. Effect, permission, time limit and what is done stay the tool's own.
  /// - Throws: when the parameters are no usable JSON Schema, or give a command line to a tool that takes none.
  func described(by entry: ToolCatalogue.Entry) throws -> AnyTool {
    var definition = definition
    definition.name = entry.name
    definition.implementation =
      entry.name == self.definition.name ? definition.implementation : definition.implementation ?? self.definition.name
    definition.title = entry.title ?? (entry.name == self.definition.name ? definition.title : entry.name)
    definition.description = entry.description ?? definition.description
    definition.parameters = entry.parameters ?? Self.parameters(definition.parameters, without: entry.preset)
    // Rules read the command line in place of the other arguments: it must be the one that runs.
    let lines = CommandArgument.declared(by: definition)
    guard Set(lines).isSubset(of: CommandArgument.declared(by: self.definition)) else {
      throw ToolCatalogue.Failure(
        path: "",
        message: "\(self.definition.name) takes no \(lines.joined(separator: ", ")), which would hide what it does")
    }
    let schema = entry.parameters == nil && entry.preset.isEmpty ? schema : try JSONSchema(definition.parameters)
    // As they will be: the same arguments, prepared once more, are known again.
    let preset = self.schema.coerce(.object(entry.preset)).objectValue ?? entry.preset
    let shown = definition.parameters["properties"]?.objectValue ?? [:]
    return AnyTool(
      definition: definition, schema: schema,
      preset: Preset(arguments: preset, hidden: Set(preset.map(\.key).filter { shown[$0] == nil })) {
        self.prepare($0)
      },
      implementation: self)
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
