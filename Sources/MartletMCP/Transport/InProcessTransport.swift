/// Two ends in one process: what one sends the other receives, without any bytes between.
public final class InProcessTransport: MCPTransport {
  private let incoming: MessageQueue<MCPIncoming>
  private let outgoing: MessageQueue<MCPIncoming>

  private init(incoming: MessageQueue<MCPIncoming>, outgoing: MessageQueue<MCPIncoming>) {
    self.incoming = incoming
    self.outgoing = outgoing
  }

  /// Both ends of a new connection. Closing one ends the other; neither can be opened again.
  /// - Parameter capacity: messages on their way in one direction before a sender waits.
  public static func pair(capacity: Int = 64) -> (InProcessTransport, InProcessTransport) {
    let (there, back) = (MessageQueue<MCPIncoming>(capacity: capacity), MessageQueue<MCPIncoming>(capacity: capacity))
    return (
      InProcessTransport(incoming: back, outgoing: there), InProcessTransport(incoming: there, outgoing: back)
    )
  }

  public func open() async throws {}

  public func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
    try await outgoing.put(.message(message))
  }

  public func receive() async throws -> MCPIncoming { try await incoming.take() }

  public func close() async {
    let error = MCPError(.connectionClosed, "the connection was closed")
    outgoing.end(error)
    incoming.end(error)
  }
}
