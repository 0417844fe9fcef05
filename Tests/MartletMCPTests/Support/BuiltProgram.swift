#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import Testing

  @testable import MartletMCP

  /// Programs of this package, as they were built.
  enum BuiltProgram {
    /// Where a program is: SwiftPM puts what it builds beside the test bundle.
    static func path(_ name: String) throws -> String {
      var place = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      for argument in CommandLine.arguments where argument.contains(".xctest") { place = URL(filePath: argument) }
      while place.path != "/" {
        let path = place.appending(path: name).path
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
          return path
        }
        place.deleteLastPathComponent()
      }
      throw MCPError(.cannotStart, "\(name) is not built")
    }

    /// What the sanitizers are told by this process's environment: a program that is built for one needs it as well, or it
    /// fails for what this process lets pass.
    static var sanitizerOptions: [String: String] {
      let names: Set = ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"]
      return ProcessCommand.currentEnvironment.filter { names.contains($0.key) }
    }

    /// A program that sees this environment and nothing else but ``sanitizerOptions``.
    static func command(
      _ name: String, _ arguments: [String] = [], environment: [String: String] = [:], workingDirectory: String? = nil
    ) throws -> ProcessCommand {
      ProcessCommand(
        try path(name), arguments, environment: sanitizerOptions.merging(environment) { $1 },
        workingDirectory: workingDirectory)
    }

    /// Runs the client of the conformance suite as the suite does.
    static func runClient(
      _ scenario: String, _ revision: MCPRevision, _ url: String, context: JSONObject = [:]
    ) async throws -> (status: Int32?, error: String) {
      var environment = [
        "MCP_CONFORMANCE_SCENARIO": scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION": revision.rawValue,
      ]
      if !context.isEmpty {
        var context = context
        context["name"] = .string(scenario)
        environment["MCP_CONFORMANCE_CONTEXT"] = JSONValue.object(context).text()
      }
      let result = try await command("martlet-mcp-fixture-client", [url], environment: environment)
        .run(limits: ProcessLimits(timeout: .seconds(120)))
      return (result.status.shellStatus, result.error.text())
    }

    /// Runs `body` with the server of the conformance suite, by its URL, and ends it afterwards.
    static func withServer(_ arguments: [String] = [], _ body: (_ url: String) async throws -> Void) async throws {
      try await withListener(try command("martlet-mcp-fixture", ["--port", "0"] + arguments), body)
    }

    /// Runs `body` with a program that prints its URL as soon as it listens, and ends it afterwards.
    static func withListener(_ command: ProcessCommand, _ body: (_ url: String) async throws -> Void) async throws {
      let child = try await ChildProcess.start(command)
      do {
        var line: [UInt8] = []
        for try await chunk in child.output {
          line += chunk
          if line.last == UInt8(ascii: "\n") { break }
        }
        try #require(!line.isEmpty, "it ended and printed nothing: \(child.errorLines)")
        try await body(String(decoding: line.dropLast(), as: UTF8.self))
        await child.shutDown(inputGrace: .zero, terminateGrace: .seconds(60))
      } catch {
        await child.shutDown(inputGrace: .zero, terminateGrace: .seconds(60))
        throw error
      }
    }
  }
#endif
