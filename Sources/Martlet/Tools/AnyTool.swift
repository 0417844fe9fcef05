package import MartletJSON

/// A tool with its types erased and its parameters compiled: what the registry holds and the agent runs.
public struct AnyTool: Sendable {
  /// The tool as the model and the log know it.
  public let definition: ToolDefinition
  /// How long one call may take; nil for the agent's own limit.
  public let timeout: Duration?
  /// Whether it belongs to another program.
  let isRemote: Bool
  let schema: JSONSchema
  /// What a catalogue adds to the arguments; nil of a tool as it was registered.
  let preset: Preset?
  private var run: @Sendable (JSONObject, ToolContext) async throws -> ToolOutput

  /// Erases a tool.
  /// - Throws: `ToolRegistry.Failure` when the name is not allowed or the parameters are no usable JSON Schema of an object.
  public init<T: Tool>(_ tool: T) throws {
    let definition: ToolDefinition
    let schema: JSONSchema
    let decode: @Sendable (JSONObject) throws -> T.Arguments
    do {
      definition = try tool.definition
      schema = try JSONSchema(definition.parameters)
      decode = try Self.decoder(of: T.Arguments.self)
    } catch {
      throw ToolRegistry.Failure(
        code: .invalidParameters, message: "the parameters of tool \(tool.name) cannot be used: \(error)",
        underlying: error)
    }
    guard Self.isAllowed(name: definition.name) else {
      throw ToolRegistry.Failure(
        code: .invalidName,
        message: "\"\(definition.name)\" is no tool name: use 1 to 64 letters, digits, underscores and hyphens")
    }
    guard definition.parameters["type"] == "object" else {
      throw ToolRegistry.Failure(
        code: .invalidParameters, message: "the parameters of tool \(tool.name) must be a schema of type object")
    }
    self.definition = definition
    self.schema = schema
    preset = nil
    timeout = tool.timeout
    isRemote = tool.isRemote
    run = { arguments, context in
      let typed: T.Arguments
      do {
        typed = try decode(arguments)
      } catch {
        throw ArgumentsRefused(reason: "\(error)")
      }
      return try await tool.call(arguments: typed, context: context)
    }
  }

  /// Turns the arguments of a call into the tool's own type; `ToolArguments` fill absent keys from their template.
  private static func decoder<A: Decodable & Sendable>(
    of type: A.Type
  ) throws -> @Sendable (JSONObject) throws -> A {
    func filling<B: ToolArguments>(_ type: B.Type) throws -> @Sendable (JSONValue) throws -> any ToolArguments {
      try type.argumentsDecoder()
    }
    let fill = try (type as? any ToolArguments.Type).map { try filling($0) }
    return { arguments in
      let value = JSONValue.object(arguments)
      if let arguments = try fill?(value) as? A ?? value as? A { return arguments }
      return try value.decode(A.self)
    }
  }

  /// The arguments do not fit, though the schema let them pass.
  struct ArgumentsRefused: Error {
    var reason: String
  }

  /// A tool in other words, that runs as `implementation` does.
  init(definition: ToolDefinition, schema: JSONSchema, preset: Preset, implementation: Self) {
    self.definition = definition
    self.schema = schema
    self.preset = preset
    timeout = implementation.timeout
    isRemote = implementation.isRemote
    run = implementation.run
  }

  /// A tool of these parts.
  init(
    definition: ToolDefinition, schema: JSONSchema, preset: Preset?, timeout: Duration?, isRemote: Bool,
    run: @escaping @Sendable (JSONObject, ToolContext) async throws -> ToolOutput
  ) {
    self.definition = definition
    self.schema = schema
    self.preset = preset
    self.timeout = timeout
    self.isRemote = isRemote
    self.run = run
  }

  /// Arguments that a catalogue gives.
  struct Preset: Sendable {
    /// The arguments, as the tool itself takes them.
    let arguments: JSONObject
    /// Those among them that the schema shown does not name.
    let hidden: Set<String>
    /// The tool's own check: what the schema shown lets pass it must let pass too.
    let check: @Sendable (ToolCall) -> Preparation

    /// The arguments as a model would give them: a call that is prepared once more has the hidden ones already.
    func removed(from arguments: JSONObject) -> JSONObject {
      var arguments = arguments
      for key in hidden where arguments[key] == self.arguments[key] { _ = arguments.removeValue(forKey: key) }
      return arguments
    }
  }

  static func isAllowed(name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The arguments a call runs with, all of them, made to fit where that loses nothing, or what is wrong with them in words
  /// that help the model to repair the call. Arguments that it has given it takes again and leaves as they are.
  package func prepare(_ call: ToolCall) -> Preparation {
    switch call.arguments {
    case .unparsed(_, let reason):
      return .refused(
        "The arguments of \(call.name) could not be read: \(reason). Nothing was run. Call it again with a JSON object "
          + "that fits this schema: \(boundedSchema)")
    case .object(let object):
      let coerced = schema.coerce(.object(preset?.removed(from: object) ?? object))
      let violations = schema.validate(coerced)
      guard violations.isEmpty, case .object(let arguments) = coerced else {
        let reasons = violations.prefix(5).map { "- \($0)" }.joined(separator: "\n")
        return .refused(
          "The arguments of \(call.name) do not fit; nothing was run.\n\(reasons)\nThe schema is: \(boundedSchema)")
      }
      guard let preset else { return .ready(arguments) }
      var whole = call
      whole.arguments = .object(arguments.merging(preset.arguments))
      return preset.check(whole)
    }
  }

  package enum Preparation: Sendable {
    case ready(JSONObject)
    case refused(String)
  }

  private var boundedSchema: String {
    let text = definition.parameters.text()
    return text.utf8.count <= 2_000 ? text : String(text.prefix(2_000)) + "…"
  }

  /// The same tool with another way to run it.
  func performing(_ run: @escaping @Sendable (JSONObject, ToolContext) async throws -> ToolOutput) -> Self {
    var tool = self
    tool.run = run
    return tool
  }

  /// Runs the tool. Arguments must have come from `prepare`.
  package func call(_ arguments: JSONObject, context: ToolContext) async throws -> ToolOutput {
    try await run(arguments, context)
  }
}

extension JSONObject {
  /// With the members of another object in place of its own.
  fileprivate func merging(_ other: Self) -> Self {
    var merged = self
    for (key, value) in other { merged[key] = value }
    return merged
  }
}
