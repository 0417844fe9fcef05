/// Where things are on this machine.
struct Places: Sendable {
  /// Absolute; relative paths start here.
  let directory: String
  private let environment: [String: String]

  init(directory: String, environment: [String: String]) {
    self.directory = directory
    self.environment = environment
  }

  /// An absolute path; `~/` is the home directory.
  func path(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    return path.isEmpty || path == "." ? directory : (directory == "/" ? "" : directory) + "/" + path
  }

  var home: String? { absolute("HOME") }

  /// Sessions, models, memory: `MARTLET_DATA`, or `martlet` in `XDG_DATA_HOME` (default `~/.local/share`).
  var data: String? {
    absolute("MARTLET_DATA") ?? (absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }).map { $0 + "/martlet" }
  }

  /// What can be made again: `martlet` in `XDG_CACHE_HOME` (default `~/.cache`).
  var cache: String? { (absolute("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }).map { $0 + "/martlet" } }

  /// The user's configuration file.
  var userConfiguration: String? { configuration("config.json") }

  /// Something in the directory of the user's configuration.
  func configuration(_ name: String) -> String? {
    (absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }).map { "\($0)/martlet/\(name)" }
  }

  /// Where the key of a provider may be kept.
  func keyFile(of provider: String) -> String? { configuration("keys/\(provider)") }

  /// The project's configuration file.
  var projectConfiguration: String { path(".martlet/config.json") }

  /// The data directory, made if it is missing.
  func makeData() throws(CommandFailure) -> String {
    guard let data else {
      throw .usage("there is no place for data: set HOME, or MARTLET_DATA to an absolute path")
    }
    do {
      try FileAccess.makePrivateDirectory(data)
    } catch {
      throw .failed(
        "the data directory \(data) cannot be made: \(error.reason); make room for it or set MARTLET_DATA",
        underlying: error)
    }
    return data
  }

  /// A path with the home directory as `~`, to show.
  func short(_ path: String) -> String {
    guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The XDG rule: a relative path does not count.
  private func absolute(_ variable: String) -> String? {
    guard let value = environment[variable], value.hasPrefix("/") else { return nil }
    return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
  }
}
