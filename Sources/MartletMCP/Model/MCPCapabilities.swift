public import MartletJSON

/// What a client can do for a server.
public struct MCPClientCapabilities: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  /// Nothing.
  public init() { fields = [:] }

  /// Whether its model can be asked.
  public var hasSampling: Bool { fields[object: "sampling"] != nil }
  /// Whether its model can be asked with tools.
  public var hasSamplingTools: Bool { fields["sampling"]?["tools"]?.objectValue != nil }
  /// Whether it tells where the server may work.
  public var hasRoots: Bool { fields[object: "roots"] != nil }
  /// How its user can be asked. An empty capability means a form.
  public var elicitationModes: Set<MCPElicitationMode> {
    guard let modes = fields[object: "elicitation"] else { return [] }
    var known: Set<MCPElicitationMode> = []
    if modes[object: "form"] != nil { known.insert(.form) }
    if modes[object: "url"] != nil { known.insert(.url) }
    return known.isEmpty ? [.form] : known
  }
  /// Extensions by id, with their settings.
  public var extensions: JSONObject {
    get { fields[object: "extensions"] ?? [:] }
    set { fields[object: "extensions"] = newValue.isEmpty ? nil : newValue }
  }
  /// Whether it takes tasks for answers.
  public var hasTasks: Bool { extensions[object: MCPExtension.tasks] != nil }

  /// Without what a revision has no word for, whatever the client says.
  func limited(to revision: MCPRevision) -> Self {
    var limited = self
    let facts = revision.facts
    if facts.elicitationModes.isEmpty {
      limited.fields["elicitation"] = nil
    } else if !facts.elicitationModes.contains(.url), fields[object: "elicitation"] != nil {
      limited.fields["elicitation"] = [:]
    }
    if !facts.samplesWithTools, hasSampling { limited.fields["sampling"] = [:] }
    return limited
  }
}

/// What a server can do.
public struct MCPServerCapabilities: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  /// Nothing.
  public init() { fields = [:] }

  /// Whether it has tools.
  public var hasTools: Bool { fields[object: "tools"] != nil }
  /// Whether it has resources.
  public var hasResources: Bool { fields[object: "resources"] != nil }
  /// Whether it has prompts.
  public var hasPrompts: Bool { fields[object: "prompts"] != nil }
  /// Whether it completes arguments.
  public var hasCompletions: Bool { fields[object: "completions"] != nil }
  /// Whether it sends log messages.
  public var hasLogging: Bool { fields[object: "logging"] != nil }
  /// Whether it tells when its tools change.
  public var tellsToolChanges: Bool { fields["tools"]?["listChanged"]?.boolValue ?? false }
  /// Whether it tells when its prompts change.
  public var tellsPromptChanges: Bool { fields["prompts"]?["listChanged"]?.boolValue ?? false }
  /// Whether it tells when its list of resources changes.
  public var tellsResourceChanges: Bool { fields["resources"]?["listChanged"]?.boolValue ?? false }
  /// Whether it tells when a resource changes.
  public var hasSubscriptions: Bool { fields["resources"]?["subscribe"]?.boolValue ?? false }
  /// Extensions by id, with their settings.
  public var extensions: JSONObject { fields[object: "extensions"] ?? [:] }
  /// Whether calls can be asked for as tasks (2025-11-25), or it may answer with tasks (extension).
  public var hasTasks: Bool {
    extensions[object: MCPExtension.tasks] != nil || fields["tasks"]?["requests"]?["tools"]?["call"] != nil
  }
}

/// Extensions by name.
public enum MCPExtension {
  /// Calls that go on after the answer.
  public static let tasks = "io.modelcontextprotocol/tasks"
  /// Pages that a server brings along.
  public static let ui = "io.modelcontextprotocol/ui"
}
