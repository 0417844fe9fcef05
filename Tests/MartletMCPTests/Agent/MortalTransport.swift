import MartletSync

@testable import MartletMCP

/// The way to a server in the same process that can die like a program, and be started again.
final class MortalTransport: MCPTransport {
  private let base: InProcessServerTransport
  private let opened = Locked(0)

  init(_ server: MCPServer) { base = InProcessServerTransport(server) }

  /// How often the server was started.
  var starts: Int { opened.withLock { $0 } }

  /// The server is gone, as if it had been killed.
  func die() async { await base.close() }

  func open() async throws {
    opened.withLock { $0 += 1 }
    try await base.open()
  }
  func send(_ message: MCPMessage, _ context: MCPSendContext) async throws { try await base.send(message, context) }
  func receive() async throws -> MCPIncoming { try await base.receive() }
  func close() async { await base.close() }
}
