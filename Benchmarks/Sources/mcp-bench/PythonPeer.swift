import Foundation
import MartletProcess

/// The Python SDK, where `scripts/setup-peers mcp` has installed it.
struct PythonPeer: Sendable {
  let python: String
  let script: String

  /// nil, with a notice, if it is not there.
  static func find() -> Self? {
    let environment = ProcessInfo.processInfo.environment
    let data = environment["MARTLET_DATA"] ?? NSHomeDirectory() + "/.local/share/martlet"
    let peer = (environment["MARTLET_PEERS"] ?? data + "/peers") + "/mcp"
    guard FileManager.default.fileExists(atPath: peer + "/installed") else {
      print("  SKIPPED: the Python SDK is not there (scripts/setup-peers mcp); ours alone:")
      return nil
    }
    let package = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return Self(python: peer + "/bin/python", script: package + "/mcp-peer.py")
  }

  func command(_ arguments: [String]) -> ProcessCommand {
    ProcessCommand(python, [script] + arguments)
  }

  /// Calls per second of its client.
  func rate(_ arguments: [String]) async throws -> Double {
    let result = try await command(["call"] + arguments).run()
    guard result.status == .exited(0),
      let rate = result.output.text().split(separator: " ").first.flatMap({ Double($0) })
    else { throw BenchError("the Python client failed: \(result.error.text().suffix(500))") }
    return rate
  }
}
