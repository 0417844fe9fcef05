/// Headers of MCP over HTTP.
enum HTTPHeaderName {
  static let revision = "MCP-Protocol-Version"
  static let session = "Mcp-Session-Id"
  static let lastEvent = "Last-Event-ID"
  static let method = "Mcp-Method"
  static let name = "Mcp-Name"
}

extension MCPMessage {
  /// What `Mcp-Name` must say; nil for methods without it.
  var routedName: String? {
    switch method {
    case Method.callTool, Method.getPrompt: params?[string: "name"]
    case Method.readResource: params?[string: "uri"]
    case Method.getTask, Method.updateTask, Method.cancelTask: params?[string: "taskId"]
    default: nil
    }
  }
}
