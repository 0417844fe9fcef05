#if os(Linux)
  import Foundation
  import MartletProcess
  import Testing

  @testable import MartletMCP

  /// Clients and servers made with the Python packages, installed by `scripts/setup-peers` (`MARTLET_PEERS` names its
  /// directory). Tests with one that is not there are skipped and say why.
  enum PythonPeer {
    static let directory = ProcessInfo.processInfo.environment["MARTLET_PEERS"]
    static let scripts = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Peers"

    static func has(_ name: String) -> Bool {
      directory.map { FileManager.default.fileExists(atPath: "\($0)/\(name)/installed") } ?? false
    }

    static func reason(_ name: String) -> Comment {
      guard let directory else { return "skipped: MARTLET_PEERS is not set; scripts/setup-peers installs the peers" }
      let reason = FileManager.default.contents(atPath: "\(directory)/\(name).skipped")
      return "skipped: \(name) is not there: \(reason.map { String(decoding: $0, as: UTF8.self) } ?? "not installed")"
    }

    static func command(_ name: String, _ program: String, _ arguments: [String]) -> ProcessCommand {
      // A peer starts programs of ours.
      var environment = StdioTransport.plainEnvironment.merging(BuiltProgram.sanitizerOptions) { $1 }
      environment["PYTHONUNBUFFERED"] = "1"
      environment["NO_PROXY"] = "127.0.0.1,localhost"
      return ProcessCommand("\(directory ?? "")/\(name)/bin/\(program)", arguments, environment: environment)
    }

    static func transport(_ name: String, _ program: String, _ arguments: [String]) -> StdioTransport {
      StdioTransport(command(name, program, arguments))
    }

    /// Runs `body` with a server that listens on a port of its own, and ends it afterwards.
    static func withServer(
      _ name: String, _ kind: String, path: String, _ body: (_ url: String) async throws -> Void
    ) async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "martlet-port-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      let child = try await ChildProcess.start(
        command(name, "python", ["\(scripts)/on_free_port.py", file, "\(scripts)/mcp_servers.py", kind]))
      do {
        try await body("http://127.0.0.1:\(try await port(from: file, child))\(path)")
        await child.shutDown(inputGrace: .zero)
      } catch {
        await child.shutDown(inputGrace: .zero)
        throw error
      }
    }

    /// The port that a peer listens on, which it writes to a file.
    private static func port(from file: String, _ child: ChildProcess) async throws -> UInt16 {
      // Others install and build meanwhile: this may take a while.
      for _ in 0..<2_400 {
        if let bytes = FileManager.default.contents(atPath: file),
          let port = UInt16(String(decoding: bytes, as: UTF8.self))
        {
          return port
        }
        try await Task.sleep(for: .milliseconds(50))
      }
      throw MCPError(.cannotStart, "the peer does not listen", serverOutput: child.errorLines)
    }
  }
#endif
