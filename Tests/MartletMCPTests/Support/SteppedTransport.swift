@testable import MartletMCP

/// A transport that tells before and after everything that it does.
struct SteppedTransport: MCPTransport {
  let base: any MCPTransport
  let onStep: @Sendable () -> Void

  var hasStreamPerRequest: Bool { base.hasStreamPerRequest }

  func open() async throws { try await step { try await base.open() } }
  func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
    try await step { try await base.send(message, context) }
  }
  func receive() async throws -> MCPIncoming { try await step { try await base.receive() } }
  func abandon(_ id: MCPRequestID) async { await base.abandon(id) }
  func release(_ id: MCPRequestID) async { await base.release(id) }
  func fallBack() async throws -> Bool { try await step { try await base.fallBack() } }
  func close() async { await base.close() }

  private func step<Result>(_ body: () async throws -> Result) async throws -> Result {
    onStep()
    defer { onStep() }
    return try await body()
  }
}
