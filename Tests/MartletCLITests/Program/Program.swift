import Foundation
import MartletJSON
import MartletProcess
import Testing

/// The built programs, run as a user runs them, each in a home of its own.
struct Program: Sendable {
  struct Outcome: Sendable {
    let status: Int32?
    let output: String
    let error: String
  }

  /// `martlet`, or `scripted` for the one with a scripted model.
  var name = "martlet"
  let home: TemporaryDirectory
  var environment: [String: String] = [:]

  init(_ name: String = "martlet", script: JSONValue? = nil) throws {
    self.name = name
    home = try TemporaryDirectory()
    environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "MARTLET_DATA": home.path + "/data"]
    if let script {
      try home.write("script.json", script.text())
      environment["MARTLET_SCRIPT"] = home.path + "/script.json"
    }
  }

  /// The program with a scripted model.
  static func scripted(_ script: JSONValue) throws -> Self { try Self("MartletScripted", script: script) }

  func command(_ arguments: [String]) throws -> ProcessCommand {
    ProcessCommand(
      try Self.directory + "/" + name, arguments, environment: environment, workingDirectory: home.path)
  }

  func run(_ arguments: [String], input: String? = nil) async throws -> Outcome {
    let result = try await command(arguments).run(input: input.map { .bytes(Array($0.utf8)) } ?? .none)
    return Outcome(status: result.status.shellStatus, output: result.output.text(), error: result.error.text())
  }

  /// Runs a shell line in which `$martlet` is the program.
  func shell(_ line: String) async throws -> Outcome {
    var environment = environment
    environment["martlet"] = try Self.directory + "/" + name
    let command = ProcessCommand("/bin/bash", ["-c", line], environment: environment, workingDirectory: home.path)
    let result = try await command.run()
    return Outcome(status: result.status.shellStatus, output: result.output.text(), error: result.error.text())
  }

  /// Where SwiftPM puts what it builds: beside the test bundle.
  static var directory: String {
    get throws {
      var place = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      if let path = ProcessInfo.processInfo.environment["MARTLET_PROGRAMS"] { return path }
      for argument in CommandLine.arguments where argument.contains(".xctest") { place = URL(filePath: argument) }
      while place.path != "/" {
        if FileManager.default.isExecutableFile(atPath: place.appending(path: "martlet").path) { return place.path }
        place.deleteLastPathComponent()
      }
      throw ProcessNotFound()
    }
  }

  struct ProcessNotFound: Error {}
}
