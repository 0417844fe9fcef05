import Foundation
import Martlet
import MartletJSON
import Testing

@testable import MartletTools

/// A directory of its own for a test, removed afterwards.
final class TestDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/martlet-tools-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    // Without links, as /tmp is one on some systems.
    let real = try #require(realpath(made, nil))
    path = String(cString: real)
    free(real)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func file(_ name: String, _ text: String) throws -> Self { try file(name, bytes: Array(text.utf8)) }

  @discardableResult
  func file(_ name: String, bytes: [UInt8]) throws -> Self {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return self
  }

  @discardableResult
  func directory(_ name: String) throws -> Self {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return self
  }

  @discardableResult
  func link(_ name: String, to target: String) throws -> Self {
    try #require(symlink(target, "\(path)/\(name)") == 0)
    return self
  }

  func context(tokenLimit: Int = 8_192) -> ToolContext {
    ToolContext(tokenLimit: tokenLimit, workingDirectory: path)
  }
}

extension Tool where Arguments: ToolArguments {
  /// Calls the tool as the agent does: with JSON.
  func call(_ arguments: JSONValue, _ context: ToolContext) async throws -> ToolOutput {
    try await call(arguments: try Arguments.decode(from: arguments), context: context)
  }
}

extension ToolOutput {
  var text: String { content.compactMap(\.text).joined() }
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
