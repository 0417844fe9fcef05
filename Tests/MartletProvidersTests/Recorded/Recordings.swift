import Foundation
import MartletJSON

/// Real exchanges recorded elsewhere, where they are at hand: `MARTLET_SHARED`, or `shared` beside the package.
enum Recordings {
  static let directory: String? = {
    let root =
      ProcessInfo.processInfo.environment["MARTLET_SHARED"]
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared").standardized.path
    let directory = root + "/recorded"
    return FileManager.default.fileExists(atPath: directory + "/INDEX.tsv") ? directory : nil
  }()

  struct Recording {
    var id: String
    /// Which of the provider's interfaces it is of: `chat.completions`, `messages`, …
    var api: String
    var isStream: Bool
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var model: String
    /// What the recording is known for.
    var features: [String]
    /// What the vendor's own client made of the stream.
    var final: JSONValue?
    /// What was remarkable about that: an error event, a fault of the client.
    var note: String
  }

  /// The providers that there are recordings of.
  static func providers() throws -> [String] {
    guard let directory else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(directory)/\($0)", isDirectory: &isDirectory)
        && isDirectory.boolValue
    }.sorted()
  }

  /// The recordings of a provider, in order.
  static func all(of provider: String) throws -> [Recording] {
    guard let directory else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(provider)").filter {
      $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json")
    }.sorted()
    return try names.compactMap { try recording("\(directory)/\(provider)/\($0)") }
  }

  /// The recordings that the index names, of some APIs, in its order.
  static func indexed(_ isWanted: (_ api: String, _ isStream: Bool, _ status: Int) -> Bool) throws -> [Recording] {
    guard let directory else { return [] }
    let index = try String(contentsOfFile: "\(directory)/INDEX.tsv", encoding: .utf8)
    return try index.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 5, isWanted(fields[2], fields[3] == "True", Int(fields[5]) ?? 0) else { return nil }
      return try recording("\(directory)/\(fields[0]).json")
    }
  }

  private static func recording(_ path: String) throws -> Recording? {
    let document = try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: path))))
    guard let response = document["response"], let status = response["status"]?.intValue else { return nil }
    let body = response["body"]?.stringValue ?? response["body"]?.text() ?? ""
    let expected = path.replacingOccurrences(of: ".json", with: ".expected.json")
    var assembled: JSONValue?
    if FileManager.default.fileExists(atPath: expected) {
      assembled = try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: expected))))
    }
    return Recording(
      id: document["id"]?.stringValue ?? path, api: document["api"]?.stringValue ?? "",
      isStream: document["stream"] == true, status: status,
      headers: (response["headers"]?.objectValue ?? [:]).map { ($0.key, $0.value.stringValue ?? "") },
      body: Array(body.utf8), model: document["request"]?["body"]?["model"]?.stringValue ?? "unknown",
      features: (document["features"]?.arrayValue ?? []).compactMap(\.stringValue),
      final: assembled?["final"], note: assembled?["note"]?.stringValue ?? "")
  }
}
