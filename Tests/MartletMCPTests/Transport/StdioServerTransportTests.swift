#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import Testing

  @testable import MartletMCP

  @Suite struct StdioServerTransportTests {
    /// A server behind two pipes: what is written to `input` it reads, what it writes is read from `output`.
    private struct Pipes: @unchecked Sendable {  // each end is used by one side
      let input = Pipe()
      let output = Pipe()

      func transport() -> StdioServerTransport {
        StdioServerTransport(
          input: dup(input.fileHandleForReading.fileDescriptor),
          output: dup(output.fileHandleForWriting.fileDescriptor),
          messageSize: 1 << 20)
      }
    }

    private func blocking<Result: Sendable>(
      _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
      }
    }

    private func server() -> MCPServer {
      let server = MCPServer(MCPImplementation(name: "test", version: "1"))
      server.register(MCPTool(name: "echo")) { arguments, _ in
        MCPCallResult([.text(arguments["text"]?.stringValue ?? "")])
      }
      return server
    }

    @Test func `a server answers lines until its input ends`() async throws {
      let pipes = Pipes()
      let transport = pipes.transport()
      async let serving: Void = server().serve(transport)
      let text = String(repeating: "x", count: 200_000)
      let request = MCPMessage.request(
        1, method: "tools/call",
        params: [
          "name": "echo", "arguments": ["text": .string(text)], "_meta": .object(RawServerTests.meta),
        ])
      let lines = Array("no JSON\n\n".utf8) + request.bytes + [0x0A] + Array("[]\n".utf8)
      // On threads that may block.
      async let writing: Void = blocking {
        try pipes.input.fileHandleForWriting.write(contentsOf: lines)
        try pipes.input.fileHandleForWriting.close()
        try pipes.input.fileHandleForReading.close()
      }
      try pipes.output.fileHandleForWriting.close()
      let output = try await blocking { try pipes.output.fileHandleForReading.readToEnd() ?? Data() }
      try await writing
      try await serving
      let messages = MCPIncoming.all(in: [Array(output)])
      #expect(messages.count == 1)
      guard case .message(.result(1, let result)) = messages.first else {
        Issue.record("\(messages.count) messages")
        return
      }
      #expect(result["content"]?[0]?["text"]?.stringValue == text)
    }

    @Test func `cancelling the server ends it though its input is open`() async throws {
      let pipes = Pipes()
      let transport = pipes.transport()
      let serving = Task { try await server().serve(transport) }
      serving.cancel()
      await #expect(throws: CancellationError.self) { try await serving.value }
    }

    @Test func `a client that reads no more ends the server`() async throws {
      let pipes = Pipes()
      let transport = pipes.transport()
      try await transport.open()
      try pipes.output.fileHandleForReading.close()
      try pipes.output.fileHandleForWriting.close()
      let error = await #expect(throws: MCPError.self) {
        try await transport.send(.notification(method: "x", params: nil), MCPSendContext())
      }
      #expect(error?.code == .connectionClosed)
      await transport.close()
    }
  }
#endif
