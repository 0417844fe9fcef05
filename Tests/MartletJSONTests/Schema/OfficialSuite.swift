import Foundation
import MartletJSON

/// The official JSON-Schema-Test-Suite in the directory `MARTLET_SCHEMA_SUITE`; `scripts/fetch-schema-suite` gets it.
struct OfficialSuite {
  struct File: Sendable {
    let name: String
    let groups: [Group]
  }

  struct Group: Sendable {
    let description: String
    let schema: JSONValue
    let tests: [(description: String, data: JSONValue, isValid: Bool)]
  }

  static let directory = ProcessInfo.processInfo.environment["MARTLET_SCHEMA_SUITE"].map { URL(filePath: $0) }

  private(set) var files: [File]
  /// The documents that the suite expects at http://localhost:1234/.
  let remotes: [String: JSONValue]

  init(_ directory: URL, draft: String, folder: String = "") throws {
    let tests = directory.appending(path: "tests").appending(path: draft).appending(path: folder)
    files = try Self.jsonFiles(in: tests).map { path in
      let groups = try Self.read(tests.appending(path: path)).arrayValue ?? []
      return File(name: String(path.dropLast(5)), groups: groups.map(Self.group))
    }
    var remotes: [String: JSONValue] = [:]
    let folder = directory.appending(path: "remotes")
    for path in try Self.jsonFiles(in: folder, deep: true) where !path.hasPrefix("draft") || path.hasPrefix(draft) {
      remotes["http://localhost:1234/" + path] = try Self.read(folder.appending(path: path))
    }
    self.remotes = remotes
  }

  func selecting(_ isWanted: (String) -> Bool) -> Self {
    var copy = self
    copy.files = files.filter { isWanted($0.name) }
    return copy
  }

  private static func group(_ value: JSONValue) -> Group {
    let tests = (value["tests"]?.arrayValue ?? []).map {
      (
        description: $0["description"]?.stringValue ?? "", data: $0["data"] ?? .null,
        isValid: $0["valid"] == true
      )
    }
    return Group(
      description: value["description"]?.stringValue ?? "", schema: value["schema"] ?? .null, tests: tests)
  }

  private static func jsonFiles(in folder: URL, deep: Bool = false) throws -> [String] {
    let manager = FileManager.default
    let paths =
      deep
      ? try manager.subpathsOfDirectory(atPath: folder.path)
      : try manager.contentsOfDirectory(atPath: folder.path)
    return paths.filter { $0.hasSuffix(".json") }.sorted()
  }

  private static func read(_ file: URL) throws -> JSONValue {
    try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
  }
}
