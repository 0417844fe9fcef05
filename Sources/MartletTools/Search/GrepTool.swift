public import Martlet
public import MartletJSON

/// Searches text files below a directory, as tool `grep`. Nothing is run for it: it is a search of our own.
public struct GrepTool: Tool {
  /// What to look for, and where.
  public struct Arguments: ToolArguments {
    @Parameter("Regular expression to search for in each line", examples: ["func send"]) public var pattern: String
    @Parameter("File or directory to search, from the working directory; leave it out to search all of it")
    public var path: String = "."
    @Parameter("Only files whose name or path fits this pattern, such as *.swift") public var include: String?

    public init() {}
  }

  private let root: String?

  /// - Parameter root: the directory that no path leads out of; nil for the working directory of each call.
  public init(root: String? = nil) { self.root = root }

  public var name: String { "grep" }
  public var title: String { "Search in files" }
  public var description: String {
    "Searches the text of files for a regular expression and shows each line with its file and number. Use it to find "
      + "where something is defined or mentioned. Runs locally; links are not followed, binary files and .git are left out."
  }
  public var effect: ToolEffect { .readOnly }

  /// One matching line a line, as `path:line: text`; "No matches" when there are none, which is no failure. Binary files,
  /// links and what version control keeps for itself (`.git`) are left out.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = FileRoot(root ?? context.workingDirectory)
    let path = arguments.path.isEmpty ? "." : arguments.path
    let include = arguments.include.flatMap { $0.isEmpty ? nil : $0 }
    let pattern: LinePattern
    let included: GlobPattern?
    do throws(LinePattern.Malformed) {
      pattern = try LinePattern(arguments.pattern)
    } catch {
      return .failure(
        "The pattern is no regular expression: \(error). To look for characters such as ( [ { . * + ? themselves, put a "
          + "backslash before them.", code: "INVALID_ARGS")
    }
    do throws(GlobPattern.Malformed) {
      included = try include.map { text throws(GlobPattern.Malformed) in try GlobPattern(text) }
    } catch {
      return .failure("include cannot be used: \(error).", code: "INVALID_ARGS")
    }
    return try await BlockingWork.run { cancellation in
      do {
        var run = GrepRun(pattern, include: included, output: CappedText(context: context), cancellation: cancellation)
        try run.search(try root.open(path))
        return run.toolOutput
      } catch let error as FileAccessError {
        return .failure("\(error)", code: error.code)
      }
    }
  }
}
