public import MartletJSON

/// A tool as the model and the log know it.
public struct ToolDefinition: Sendable, Hashable, JSONConvertible {
  /// The name the model calls it by.
  public var name: String
  /// The tool that does the work, where a catalogue has made this one of it: deny and ask rules about that one hold for
  /// this one too. Nil where it is the tool itself. Models do not see it.
  public var implementation: String?
  /// A name for people.
  public var title: String
  /// What it does and when to use it: the model reads this.
  public var description: String
  /// The JSON Schema of its arguments, an object schema.
  public var parameters: JSONValue
  /// What running it twice would do.
  public var effect: ToolEffect
  /// Whether it may run while other tools of the same turn run. Default: read-only tools may.
  public var runsConcurrently: Bool
  /// Whether a person or a policy must agree before each run.
  public var requiresPermission: Bool
  /// Whether it is so quick that no "executing" state should be shown.
  public var isInstant: Bool

  /// A tool's description.
  public init(
    name: String, title: String? = nil, description: String, parameters: JSONValue, effect: ToolEffect = .once,
    runsConcurrently: Bool? = nil, requiresPermission: Bool = false, isInstant: Bool = false,
    implementation: String? = nil
  ) {
    self.name = name
    self.implementation = implementation
    self.title = title ?? name
    self.description = description
    self.parameters = parameters
    self.effect = effect
    self.runsConcurrently = runsConcurrently ?? (effect == .readOnly)
    self.requiresPermission = requiresPermission
    self.isInstant = isInstant
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    let effect = try fields.stringIfPresent("effect").flatMap(ToolEffect.init(rawValue:)) ?? .once
    self.init(
      name: try fields.string("name"), title: try fields.stringIfPresent("title"),
      description: try fields.stringIfPresent("description") ?? "",
      parameters: fields["parameters"] ?? ["type": "object", "properties": [:]], effect: effect,
      runsConcurrently: try fields.boolIfPresent("concurrent"),
      requiresPermission: try fields.boolIfPresent("requires_permission") ?? false,
      isInstant: try fields.boolIfPresent("instant") ?? false,
      implementation: try fields.stringIfPresent("implementation"))
  }

  public var json: JSONValue {
    var json: JSONObject = [
      "name": .string(name), "title": .string(title), "description": .string(description), "parameters": parameters,
      "effect": .string(effect.rawValue), "concurrent": .bool(runsConcurrently),
      "requires_permission": .bool(requiresPermission), "instant": .bool(isInstant),
    ]
    if let implementation { json["implementation"] = .string(implementation) }
    return .object(json)
  }
}

/// What running a call twice would do.
public enum ToolEffect: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// It changes nothing: it may run beside others, and again after a crash.
  case readOnly = "read_only"
  /// Running it again has no further effect: it may run again after a crash.
  case idempotent
  /// Each run has an effect of its own: it is never silently repeated.
  case once
}
