import MartletHTTP
import MartletHTTPServer
import MartletProcess

/// A server over HTTP in a process of its own.
struct ServerProcess: Sendable {
  let child: ChildProcess
  let url: String

  /// Ours.
  static func ours() async throws -> Self {
    let child = try await ChildProcess.start(ProcessCommand(CommandLine.arguments[0], ["serve", "http"]))
    var line = ""
    for try await bytes in child.output {
      line += String(decoding: bytes, as: UTF8.self)
      if line.hasSuffix("\n") { break }
    }
    return Self(child: child, url: String(line.dropLast()))
  }

  /// The Python SDK's.
  static func python(_ peer: PythonPeer) async throws -> Self {
    // It cannot choose a port itself and tell it.
    let probe = try HTTPServer(routes: [])
    let port = probe.port
    await probe.stop(grace: .zero)
    let child = try await ChildProcess.start(peer.command(["serve", "http", "\(port)"]))
    let server = Self(child: child, url: "http://127.0.0.1:\(port)/mcp")
    for _ in 0..<600 {
      do {
        let request = HTTPRequest(.get, server.url, timeouts: .init(total: .seconds(1)))
        try await SystemTransport.shared.send(request).body.finish()
        return server
      } catch is HTTPError {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    await server.stop()
    throw BenchError("the Python server does not listen: \(child.errorLines.last ?? "it says nothing")")
  }

  func stop() async { await child.shutDown(inputGrace: .milliseconds(500)) }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
