import MartletJSON

/// A known on-device model and what of it is on this machine.
struct LocalModelEntry: Sendable, Hashable {
  var name: String
  var use: String
  /// Bytes of the file.
  var size: Int
  var sha256: String
  var license: String
  var sources: [String]
  /// Where the file is, or would be.
  var path: String
  var state: State
  /// The file that was made of it for this processor, where there is one.
  var prepared: String?

  enum State: Sendable, Hashable {
    case missing, unverified, wrong, verified
    case partial(bytes: Int)
  }

  var word: String {
    switch state {
    case .missing: "missing"
    case .partial(let bytes): "partial (\(bytes * 100 / max(1, size)) %)"
    case .unverified: "not verified yet"
    case .wrong: "wrong"
    case .verified: "verified"
    }
  }

  var line: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return padded(name, 22) + padded(ByteCount.text(size), 10) + padded(word, 18) + use
  }

  var card: String {
    """
    name:     \(name)
    use:      \(use)
    licence:  \(license)
    size:     \(ByteCount.text(size)) (\(size) bytes)
    SHA-256:  \(sha256)
    sources:  \(sources.joined(separator: "\n          "))
    file:     \(path)
    state:    \(word)\(prepared.map { "\nprepared: \($0) (same weights, laid out for this processor)" } ?? "")
    """
  }

  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "use": .string(use), "license": .string(license), "size": JSONValue(size),
      "sha256": .string(sha256), "sources": .array(sources.map { .string($0) }), "path": .string(path),
    ]
    if let prepared { object["prepared"] = .string(prepared) }
    switch state {
    case .missing: object["state"] = "missing"
    case .partial(let bytes):
      object["state"] = "partial"
      object["bytes"] = JSONValue(bytes)
    case .unverified: object["state"] = "unverified"
    case .wrong: object["state"] = "wrong"
    case .verified: object["state"] = "verified"
    }
    return .object(object)
  }
}

/// Sizes as people read them.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\((bytes + 999) / 1000) KB" : "\((bytes + 500_000) / 1_000_000) MB"
  }
}
