import MartletJSON

/// What a client wants to be told.
public struct MCPListenFilter: Sendable, Hashable {
  /// When the tools change.
  public var tools: Bool
  /// When the prompts change.
  public var prompts: Bool
  /// When the list of resources changes.
  public var resourceList: Bool
  /// When one of these resources changes.
  public var resources: [String]
  /// When one of these tasks comes further (tasks extension).
  public var tasks: [String]

  /// What a client wants to be told; nothing by default.
  public init(
    tools: Bool = false, prompts: Bool = false, resourceList: Bool = false, resources: [String] = [],
    tasks: [String] = []
  ) {
    self.tools = tools
    self.prompts = prompts
    self.resourceList = resourceList
    self.resources = resources
    self.tasks = tasks
  }

  init(fields: JSONObject) {
    self.init(
      tools: fields[bool: "toolsListChanged"] ?? false, prompts: fields[bool: "promptsListChanged"] ?? false,
      resourceList: fields[bool: "resourcesListChanged"] ?? false, resources: fields[strings: "resourceSubscriptions"],
      tasks: fields[strings: "taskIds"])
  }

  var fields: JSONObject {
    var fields = JSONObject()
    if tools { fields["toolsListChanged"] = true }
    if prompts { fields["promptsListChanged"] = true }
    if resourceList { fields["resourcesListChanged"] = true }
    if !resources.isEmpty { fields[strings: "resourceSubscriptions"] = resources }
    if !tasks.isEmpty { fields[strings: "taskIds"] = tasks }
    return fields
  }

  /// Whether it lets a notification through.
  func matches(_ notification: MCPNotification) -> Bool {
    switch notification {
    case .toolsChanged: tools
    case .promptsChanged: prompts
    case .resourcesChanged: resourceList
    case .resourceUpdated(let uri): resources.contains(uri)
    case .task(let task): tasks.contains(task.id)
    case .disconnected: true
    case .log, .elicitationCompleted, .other: false
    }
  }
}
