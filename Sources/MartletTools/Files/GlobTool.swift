public import Martlet
public import MartletJSON

/// Finds files by patterns of their paths, as tool `glob`.
public struct GlobTool: Tool {
  /// What to look for, and where.
  public struct Arguments: ToolArguments {
    @Parameter("Pattern of the path, such as **/*.swift, src/*.c or README*", examples: ["**/*.swift"])
    public var pattern: String
    @Parameter("Directory to search, from the working directory; leave it out to search all of it")
    public var path: String = "."

    public init() {}
  }

  private let root: String?

  /// - Parameter root: the directory that no path leads out of; nil for the working directory of each call.
  public init(root: String? = nil) { self.root = root }

  public var name: String { "glob" }
  public var title: String { "Find files" }
  public var description: String {
    "Finds files whose path fits a pattern, in all directories below. Use it when you know part of a file's name. To "
      + "search in the files' text use grep. Runs locally; links are not followed and .git is left out."
  }
  public var effect: ToolEffect { .readOnly }

  /// One path a line, relative to the working directory, sorted; "No matches" when there are none. What version control
  /// keeps for itself (`.git`) is left out, and links are not followed.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = FileRoot(root ?? context.workingDirectory)
    let (text, path) = (arguments.pattern, arguments.path)
    return try await BlockingWork.run { cancellation in
      do {
        let directory = try root.openDirectory(path)
        let relative = try Self.relative(text, to: root)
        // A name alone may be anywhere, as in ignore files: who asks for *.swift wants them all.
        let pattern = try GlobPattern(relative.contains("/") || text.hasPrefix("/") ? relative : "**/\(relative)")
        var matches = GlobMatches(output: CappedText(context: context))
        var walk = DirectoryWalk(cancellation: cancellation)
        try matches.collect(pattern, below: directory, &walk)
        return matches.toolOutput(notices: walk.notices)
      } catch let error as FileAccessError {
        return .failure("\(error)", code: error.code)
      } catch let error as GlobPattern.Malformed {
        return .failure("\"\(text)\" cannot be used as a pattern: \(error).", code: "INVALID_ARGS")
      }
    }
  }

  /// Models write absolute patterns too.
  private static func relative(_ pattern: String, to root: FileRoot) throws(FileAccessError) -> String {
    guard pattern.hasPrefix("/") else { return pattern }
    guard let names = root.names(of: pattern) else { throw FileAccessError(.outsideRoot, pattern) }
    return names.joined(separator: "/")
  }
}

/// The files that matched so far.
struct GlobMatches {
  private var output: CappedText
  private var count = 0

  init(output: CappedText) { self.output = output }

  mutating func collect(_ pattern: GlobPattern, below directory: borrowing OpenFile, _ walk: inout DirectoryWalk) throws
  {
    let progress = GlobPattern.Progress(pattern)
    try walk.run(directory, progress) { progress, entry in
      let inner = progress.entering(Array(entry.text.unicodeScalars))
      return (entry.kind == .directory ? inner.isAlive : inner.isMatch) ? inner : nil
    } visit: { directory, _, entry in
      let path = directory.path.isEmpty ? entry.text : "\(directory.path)/\(entry.text)"
      guard output.append(line: ControlText.escaped(path)) else { return .stop }
      count += 1
      return .next
    }
  }

  func toolOutput(notices: [String]) -> ToolOutput {
    var notices = notices
    if output.isFull {
      notices.append("only the first \(count) are shown; use a narrower pattern or path for the others")
    }
    let structured: JSONValue = ["matches": .number(JSONNumber(count)), "complete": .bool(!output.isFull)]
    guard count > 0 else {
      return .structured(structured, text: (["No matches"] + notices.map { "[\($0)]" }).joined(separator: "\n"))
    }
    return .structured(structured, text: output.text(notices: notices))
  }
}
