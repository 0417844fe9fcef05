public import MartletJSON

/// Something a server tells unasked.
public enum MCPNotification: Sendable, Hashable {
  /// Its tools are others now.
  case toolsChanged
  /// Its prompts are others now.
  case promptsChanged
  /// Its resources are others now.
  case resourcesChanged
  /// A resource has changed.
  case resourceUpdated(uri: String)
  /// A log message.
  case log(MCPLogMessage)
  /// A task has come further.
  case task(MCPTask)
  /// The user is done at the address of an elicitation, by its id.
  case elicitationCompleted(id: String)
  /// The connection has ended; the next request begins a new one.
  case disconnected(MCPError)
  /// Something else.
  case other(method: String, params: JSONObject)

  init(method: String, params: JSONObject) {
    switch method {
    case Method.toolsChanged: self = .toolsChanged
    case Method.promptsChanged: self = .promptsChanged
    case Method.resourcesChanged: self = .resourcesChanged
    case Method.resourceUpdated: self = .resourceUpdated(uri: params[string: "uri"] ?? "")
    case Method.message: self = .log(MCPLogMessage(fields: params))
    case Method.taskStatus, Method.task: self = .task(MCPTask(fields: params))
    case Method.elicitationComplete: self = .elicitationCompleted(id: params[string: "elicitationId"] ?? "")
    default: self = .other(method: method, params: params)
    }
  }
}
