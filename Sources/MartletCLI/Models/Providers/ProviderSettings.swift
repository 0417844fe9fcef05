import MartletJSON

/// What a configuration file says about one provider, under `providers`.
struct ProviderSettings: Sendable, Hashable {
  /// Where the API is instead of the provider's own place.
  var baseURL: String?
  /// The environment variable with the key.
  var keyVariable: String?
  /// The file with the key.
  var keyFile: String?
  /// Requests that may start in any minute.
  var requestsPerMinute: Int?
  /// Requests that may be under way at the same time.
  var concurrentRequests: Int?

  static let fields = ["baseURL", "apiKeyEnv", "apiKeyFile", "requestsPerMinute", "concurrentRequests"]

  init() {}

  /// Reads the entry of a provider; nil when the file has none.
  init?(_ name: String, _ file: ConfigurationFile) throws(CommandFailure) {
    guard let entry = file.value(["providers", name]), !entry.isNull else { return nil }
    guard let object = entry.objectValue else {
      throw .usage("\(file.place(["providers", name])): providers.\(name) takes an object")
    }
    for key in object.keys where !Self.fields.contains(key) {
      let near = NearestName.of(key, among: Self.fields)
      throw .usage(
        "\(file.place(["providers", name, key])): there is no setting \(key.quotedShort) of a provider; "
          + (near.map { "did you mean \($0)?" } ?? "there are \(Self.fields.joined(separator: ", "))"))
    }
    func read<Value>(_ key: String, _ kind: ValueKind<Value>) throws(CommandFailure) -> Value? {
      guard let value = object[key], !value.isNull else { return nil }
      let text = value.stringValue ?? value.intValue.map { "\($0)" }
      guard let read = text.flatMap(kind.parse) else {
        throw .usage(
          "\(file.place(["providers", name, key])): \(key) takes \(kind.expected), not \(value.text().quotedShort)")
      }
      return read
    }
    baseURL = try read("baseURL", .url)
    keyVariable = try read("apiKeyEnv", .text)
    keyFile = try read("apiKeyFile", .file)
    requestsPerMinute = try read("requestsPerMinute", .count(from: 1))
    concurrentRequests = try read("concurrentRequests", .count(from: 1))
  }

  /// With what another layer says, which wins.
  func merged(with stronger: Self?) -> Self {
    guard let stronger else { return self }
    var merged = self
    merged.baseURL = stronger.baseURL ?? baseURL
    if stronger.keyVariable != nil || stronger.keyFile != nil {
      (merged.keyVariable, merged.keyFile) = (stronger.keyVariable, stronger.keyFile)
    }
    merged.requestsPerMinute = stronger.requestsPerMinute ?? requestsPerMinute
    merged.concurrentRequests = stronger.concurrentRequests ?? concurrentRequests
    return merged
  }
}

extension SettingsReader {
  /// What the files say about each provider they name. A project's file counts when it is trusted.
  func providers() throws(CommandFailure) -> [String: ProviderSettings] {
    var all: [String: ProviderSettings] = [:]
    for file in [user, isProjectTrusted ? project : nil] {
      guard let file, let entries = file.values["providers"], !entries.isNull else { continue }
      guard let entries = entries.objectValue else {
        throw .usage("\(file.place(["providers"])): providers takes an object with an entry for each provider")
      }
      for name in entries.keys {
        guard ModelProviders.names.contains(name) else {
          let near = NearestName.of(name, among: ModelProviders.names)
          throw .usage(
            "\(file.place(["providers", name])): there is no provider \(name.quotedShort); "
              + (near.map { "did you mean \($0)?" } ?? "there are \(ModelProviders.names.joined(separator: ", "))"))
        }
        all[name] = (all[name] ?? ProviderSettings()).merged(with: try ProviderSettings(name, file))
      }
    }
    return all
  }
}
