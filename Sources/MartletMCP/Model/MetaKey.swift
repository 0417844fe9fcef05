/// Keys of `_meta` that the protocol itself uses.
enum MetaKey {
  static let revision = "io.modelcontextprotocol/protocolVersion"
  static let clientInfo = "io.modelcontextprotocol/clientInfo"
  static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
  static let logLevel = "io.modelcontextprotocol/logLevel"
  static let serverInfo = "io.modelcontextprotocol/serverInfo"
  static let subscription = "io.modelcontextprotocol/subscriptionId"
  static let relatedTask = "io.modelcontextprotocol/related-task"
  static let progressToken = "progressToken"
}
