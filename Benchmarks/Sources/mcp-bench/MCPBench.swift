import Foundation
import MartletHTTP
import MartletJSON
import MartletMCP
import MartletProcess

/// Clients and servers of MCP: tool calls compared with the Python SDK, large results, idle sessions.
///
///     mcp-bench [calls] [large] [sessions]
@main struct MCPBench {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "serve" { return try await BenchServer.run(overHTTP: words.last == "http") }
    let sections = words.isEmpty ? ["calls", "large", "sessions"] : words
    if sections.contains("calls") { try await calls() }
    if sections.contains("large") { try await largeResults() }
    if sections.contains("sessions") { try await idleSessions() }
  }

  // MARK: Calls

  /// Our client with our server, and theirs with theirs, in turns; of each the best turn counts.
  static func calls() async throws {
    print("\nTool calls, one after the other, client and server in a process each (calls a second)")
    let peer = PythonPeer.find()
    var (ours, theirs) = (0.0, 0.0)
    for _ in 0..<3 {
      ours = max(ours, try await rate(stdio, calls: 3_000))
      if let peer { theirs = max(theirs, try await peer.rate(["stdio", "300"])) }
    }
    show("standard streams", ours, theirs)
    let server = try await ServerProcess.ours()
    let other: ServerProcess? = if let peer { try await ServerProcess.python(peer) } else { nil }
    (ours, theirs) = (0, 0)
    for _ in 0..<3 {
      ours = max(ours, try await rate(HTTPClientTransport(server.url), calls: 2_000))
      if let peer, let other { theirs = max(theirs, try await peer.rate(["http", "200", other.url])) }
    }
    show("HTTP", ours, theirs)
    await server.stop()
    await other?.stop()
  }

  static var stdio: StdioTransport { StdioTransport(CommandLine.arguments[0], ["serve", "stdio"]) }

  private static func rate(_ transport: any MCPTransport, calls: Int) async throws -> Double {
    try await withClient(transport) { client in
      _ = try await client.tools()
      for number in 0..<100 { _ = try await client.call("add", ["a": JSONValue(number), "b": 1]) }
      let time = try await ContinuousClock().measure {
        for number in 0..<calls {
          let result = try await client.call("add", ["a": JSONValue(number), "b": 1])
          guard result.structuredContent == ["result": JSONValue(number + 1)] else { throw BenchError("a wrong sum") }
        }
      }
      return Double(calls) / seconds(time)
    }
  }

  private static func show(_ name: String, _ ours: Double, _ theirs: Double) {
    var line = "  \(name): ours \(Int(ours))"
    if theirs > 0 { line += ", Python SDK \(Int(theirs)): \(decimal(ours / theirs)) ×" }
    print(line)
  }

  // MARK: Large results

  static func largeResults() async throws {
    print("\nA large text as result (best of 7)")
    try await largeResults("standard streams", stdio)
    let server = try await ServerProcess.ours()
    try await largeResults("HTTP", HTTPClientTransport(server.url))
    await server.stop()
  }

  private static func largeResults(_ name: String, _ transport: any MCPTransport) async throws {
    let times = try await withClient(transport) { client in
      _ = try await client.tools()
      var best = [16: Duration.seconds(1_000), 32: .seconds(1_000)]
      // In turns, so that a busy moment of the machine hits both alike.
      for _ in 0..<7 {
        for size in [16, 32] {
          let time = try await ContinuousClock().measure {
            let text = try await client.call("text", ["bytes": JSONValue(size << 20)]).text
            guard text.utf8.count == size << 20 else { throw BenchError("\(text.utf8.count) bytes came") }
          }
          best[size] = min(best[size] ?? time, time)
        }
      }
      return best.mapValues(seconds)
    }
    let (half, whole) = (times[16] ?? 0, times[32] ?? 0)
    print(
      "  \(name): 16 MiB \(decimal(half * 1e3)) ms, 32 MiB \(decimal(whole * 1e3)) ms: \(decimal(whole / half, 2)) ×, "
        + "\(Int(33.554_432 / whole)) MB/s")
  }

  // MARK: Sessions

  static func idleSessions() async throws {
    print("\n1000 idle sessions of a server over HTTP")
    let server = try await ServerProcess.ours()
    try await idleSessions("ours", server)
    await server.stop()
    guard let peer = PythonPeer.find() else { return }
    let other = try await ServerProcess.python(peer)
    try await idleSessions("Python SDK", other)
    await other.stop()
  }

  private static func idleSessions(_ name: String, _ server: ServerProcess) async throws {
    // What is needed once, whoever comes.
    for _ in 0..<50 { try await begin(server.url) }
    guard let before = residentKilobytes(server.child.id) else {
      return print("  SKIPPED: there is no /proc here")
    }
    for _ in 0..<1_000 { try await begin(server.url) }
    let after = residentKilobytes(server.child.id) ?? before
    print("  \(name): \(decimal(Double(after - before) / 1_000)) KB a session; the process has \(after / 1_024) MB")
  }

  /// A handshake, after which the session is left alone.
  private static func begin(_ url: String) async throws {
    let (id, _) = try await post(
      url,
      [
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": [
          "protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": ["name": "bench", "version": "1"],
        ],
      ])
    guard let id else { throw BenchError("no session began") }
    let (_, status) = try await post(url, ["jsonrpc": "2.0", "method": "notifications/initialized"], session: id)
    guard status == 202 else { throw BenchError("status \(status)") }
  }

  private static func post(
    _ url: String, _ message: JSONValue, session: String? = nil
  ) async throws -> (session: String?, status: Int) {
    var headers: HTTPHeaders = [
      "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
    ]
    if let session {
      headers["Mcp-Session-Id"] = session
      headers["MCP-Protocol-Version"] = "2025-11-25"
    }
    let response = try await SystemTransport.shared.send(
      HTTPRequest(.post, url, headers: headers, body: .bytes(message.bytes())))
    _ = try await response.body.bytes(limit: 1 << 20)
    return (response.headers["Mcp-Session-Id"], response.status)
  }

  private static func residentKilobytes(_ process: Int32) -> Int? {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  // MARK: Common

  private static func withClient<Result: Sendable>(
    _ transport: any MCPTransport, _ body: (MCPClient) async throws -> Result
  ) async throws -> Result {
    let client = MCPClient(transport)
    do {
      let result = try await body(client)
      await client.close()
      return result
    } catch {
      await client.close()
      throw error
    }
  }

  private static func seconds(_ time: Duration) -> Double {
    Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  private static func decimal(_ value: Double, _ places: Int = 1) -> String { String(format: "%.\(places)f", value) }
}
