import CSpawn

/// A program to run: what, with which arguments and environment, where, and what becomes of its streams.
///
/// The child is the leader of its own process group, inherits no descriptor but its three streams, and starts with
/// default signal handling whatever the host program does.
public struct ProcessCommand: Sendable, Hashable {
  /// What becomes of the child's standard error.
  public enum ErrorStream: Sendable, Hashable {
    /// Kept apart from standard output.
    case separate
    /// Written into standard output, in the order in which the child writes.
    case merged
    /// Thrown away.
    case discarded
  }

  /// An absolute path, a path relative to `workingDirectory` (it has a slash), or a name looked up in the `PATH` of
  /// `environment`.
  public var executable: String
  /// The arguments after the program's own name.
  public var arguments: [String]
  /// The whole environment of the child; nothing is added but a `MARTLET_CHILD` mark by which runaway descendants are
  /// found.
  public var environment: [String: String]
  /// Where the child starts; nil means the current directory of this process.
  public var workingDirectory: String?
  /// Where the error stream goes. By default it is kept apart.
  public var standardError: ErrorStream

  /// A command. Nothing is started yet.
  public init(
    _ executable: String,
    _ arguments: [String] = [],
    environment: [String: String] = ProcessCommand.currentEnvironment,
    workingDirectory: String? = nil,
    standardError: ErrorStream = .separate
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.standardError = standardError
  }

  /// The environment of this process. Bytes that are not UTF-8 are replaced.
  public static var currentEnvironment: [String: String] {
    var environment: [String: String] = [:]
    guard var entry = cspawn_environment() else { return environment }
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        environment[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      entry += 1
    }
    return environment
  }
}
