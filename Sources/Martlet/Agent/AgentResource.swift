/// Something that lives as long as an agent and is ended with it, such as servers of tools.
public protocol AgentResource: Sendable {
  /// Ends it, and waits until nothing is left. May be called again.
  func close() async
}
