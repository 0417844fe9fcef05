import MartletCrypto
import MartletJSON

/// Which projects' configuration files the user trusts: `trust.json` in the data directory, by path and content.
struct TrustStore: Sendable {
  enum Standing: Sendable, Hashable {
    case trusted, refused, unknown
  }

  let path: String

  /// What the user said about a file as it is now; a changed file is unknown again.
  func standing(of file: ConfigurationFile) -> Standing {
    guard let entry = entries[key(file)], entry["sha256"]?.stringValue == hash(file) else { return .unknown }
    return entry["trusted"]?.boolValue == true ? .trusted : .refused
  }

  func remember(_ isTrusted: Bool, _ file: ConfigurationFile) throws(FileAccess.Failure) {
    var entries = entries
    entries[key(file)] = ["sha256": .string(hash(file)), "trusted": .bool(isTrusted)]
    let document: JSONValue = ["version": 1, "files": .object(entries)]
    try FileAccess.writePrivate(document.bytes(.pretty) + [0x0A], to: path)
  }

  /// Nobody is trusted by a list that is missing, damaged, or open to others' writing.
  private var entries: JSONObject {
    guard let mode = FileAccess.mode(path), mode & 0o022 == 0, let bytes = try? FileAccess.read(path),
      let document = try? JSONValue(parsing: bytes), document["version"] == 1
    else { return [:] }
    return document["files"]?.objectValue ?? [:]
  }

  private func key(_ file: ConfigurationFile) -> String { FileAccess.canonical(file.path) ?? file.path }

  private func hash(_ file: ConfigurationFile) -> String { SHA256.hash(file.bytes).hex }
}
