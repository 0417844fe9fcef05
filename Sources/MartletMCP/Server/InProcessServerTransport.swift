import MartletSync

/// A client's way to a server in the same process. Each opening is a new connection.
final class InProcessServerTransport: MCPTransport {
  private struct State {
    var transport: InProcessTransport?
    /// Serves the other end; owned by this transport.
    var serving: Task<Void, Never>?
  }

  private let server: MCPServer
  private let state = Locked(State())

  init(_ server: MCPServer) { self.server = server }

  func open() async throws {
    await close()
    let (near, far) = InProcessTransport.pair()
    state.withLock { state in
      state.transport = near
      state.serving = Task { [server] in
        // Ends by cancellation or with the other end.
        try? await server.serve(far)
      }
    }
  }

  func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
    try await current().send(message, context)
  }

  func receive() async throws -> MCPIncoming { try await current().receive() }

  func close() async {
    let (transport, serving) = state.withLock { state in
      defer { state = State() }
      return (state.transport, state.serving)
    }
    await transport?.close()
    serving?.cancel()
    await serving?.value
  }

  private func current() throws(MCPError) -> InProcessTransport {
    guard let transport = state.withLock({ $0.transport }) else {
      throw MCPError(.connectionClosed, "the connection was closed")
    }
    return transport
  }
}

extension MCPClient {
  /// A client of a service in the same process.
  public init(_ service: some MCPServerProtocol, configuration: Configuration = Configuration()) {
    self.init(InProcessServerTransport(MCPServer(service)), configuration: configuration)
  }
}
