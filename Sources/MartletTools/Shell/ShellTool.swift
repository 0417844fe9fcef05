public import Martlet
public import MartletJSON
public import MartletProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs command lines, as tool `shell`. It asks for permission before each.
///
/// A command runs in a process group of its own, without input and without the secrets of this program's environment.
/// When it ends, times out or is cancelled, everything it started is ended too; on Linux also what left its group.
public struct ShellTool: Tool {
  /// What to run, where and for how long.
  public struct Arguments: ToolArguments {
    @Parameter("The command line", length: 1..., examples: ["ls -la"]) public var command: String
    @Parameter("Seconds after which the command is ended", in: 1...600) public var timeoutSeconds: Int = 120
    @Parameter("The directory to run it in; leave it out for the working directory") public var workdir: String?

    public init() {}

    private enum CodingKeys: String, CodingKey {
      case command, workdir
      case timeoutSeconds = "timeout_seconds"
    }
  }

  /// Bytes after which a command that does nothing but write is ended.
  private static let outputLimit = 1 << 30
  /// Bytes of a command's output that are given back, half from its beginning and half from its end. More than fits into
  /// the context: the agent cuts it and keeps the rest at hand.
  private static let keptOutput = 1 << 20

  private let root: String?
  private let sandbox: (any CommandSandbox)?
  private let environment: [String: String]
  private let shell: String

  /// - Parameters:
  ///   - root: the directory that `workdir` does not lead out of; nil for the working directory of each call.
  ///   - sandbox: what confines the commands; nil for nothing.
  ///   - environment: of the commands, before what looks secret is taken out.
  public init(
    root: String? = nil, sandbox: (any CommandSandbox)? = nil,
    environment: [String: String] = ProcessCommand.currentEnvironment
  ) {
    self.root = root
    self.sandbox = sandbox
    self.environment = ShellEnvironment.make(from: environment)
    shell = access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"
  }

  public var name: String { "shell" }
  public var title: String { "Run command" }
  public var description: String {
    "Runs a command line in a shell and returns what it prints and its exit status. Use it to build, test and run "
      + "programs, and for what no other tool does. There is no input, and nothing keeps running afterwards. Runs "
      + "locally, after the user has agreed."
  }
  public var effect: ToolEffect { .once }
  public var requiresPermission: Bool { true }
  /// Longer than the longest `timeout_seconds`, whose result tells more than the agent's own limit would.
  public var timeout: Duration? { .seconds(620) }

  /// The text is what the command printed on both streams, then its exit status where that is not 0. A failed command
  /// is an error result.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = FileRoot(root ?? context.workingDirectory)
    do {
      let directory = try await Self.directory(arguments.workdir, root)
      var command = ProcessCommand(
        shell, ["-c", arguments.command], environment: environment, workingDirectory: directory,
        standardError: .merged)
      if let sandbox { command = try sandbox.confine(command, root: root.path) }
      let result = try await command.run(
        limits: ProcessLimits(
          timeout: .seconds(arguments.timeoutSeconds), keptOutput: Self.keptOutput, maximumOutput: Self.outputLimit,
          endsRunaways: true))
      return Self.output(result, arguments)
    } catch let error as FileAccessError {
      return .failure("\(error)", code: error.code)
    } catch let error as ProcessError {
      return .failure("The command could not be run: \(error).", code: "NOT_STARTED")
    }
  }

  /// Where the command starts: the path of a directory that is there and inside.
  private static func directory(_ workdir: String?, _ root: FileRoot) async throws -> String {
    guard let workdir, !workdir.isEmpty else { return root.path }
    return try await BlockingWork.run { _ in
      let directory = try root.openDirectory(workdir)
      return directory.path.isEmpty ? root.path : "\(root.path)/\(directory.path)"
    }
  }

  private static func output(_ result: ProcessResult, _ arguments: Arguments) -> ToolOutput {
    var text = result.output.text { "\n[… \(ByteSize.text($0)) of output left out …]\n" }
    while text.hasSuffix("\n") { text.removeLast() }
    let notice: String? =
      switch result.ending {
      case .timedOut: "ended after \(arguments.timeoutSeconds) s: the command and all it started were stopped"
      case .tooMuchOutput: "ended: the command printed more than \(ByteSize.text(outputLimit))"
      case .ended: result.status.isSuccess ? nil : "\(result.status)"
      }
    if text.isEmpty, notice == nil { text = "[no output]" }
    if let notice { text += text.isEmpty ? "[\(notice)]" : "\n[\(notice)]" }
    let status: JSONValue = result.status.shellStatus.map { .number(JSONNumber(Int($0))) } ?? .null
    return ToolOutput(
      content: [.text(text)],
      structured: [
        "exit_status": status, "timed_out": .bool(result.ending == .timedOut),
        "output_bytes": .number(JSONNumber(result.output.bytes.count + result.output.dropped)),
      ],
      isError: result.ending != .ended || !result.status.isSuccess,
      code: result.ending == .timedOut
        ? .timeout : result.status.isSuccess && result.ending == .ended ? nil : ToolResult.Code(rawValue: "EXIT_STATUS")
    )
  }
}
