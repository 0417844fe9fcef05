public import Martlet
public import MartletJSON

/// Finds files by name, as tool `glob`.
public struct GlobTool: Tool {
  /// What to find.
  public struct Arguments: ToolArguments {
    @Parameter("Pattern of the path, such as **/*.swift, src/*.c or README*", examples: ["**/*.swift"])
    public var pattern: String
    @Parameter("Directory to search, from the working directory; leave it out to search all of it")
    public var path: String = "."

    public init() {}
  }

  private let root: FileRoot?

  /// - Parameter root: what may be searched; nil for the call's working directory.
  public init(root: FileRoot? = nil) { self.root = root }

  public var name: String { "glob" }
  public var title: String { "Find files" }
  public var description: String {
    "Finds files whose path fits a pattern, in all directories below. Use it when you know part of a file's name. To "
      + "search in the files' text use grep. Runs locally; links are not followed and .git is left out."
  }
  public var effect: ToolEffect { .readOnly }

  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = root ?? FileRoot(context.workingDirectory)
    do {
      let pattern = try GlobPattern(arguments.pattern)
      let prefix = root.relative(arguments.path)
      var walk = try FileWalk(root.openDirectory(arguments.path), path: "")
      var output = CappedText(limit: context.tokenLimit * 4 - 200)
      while let (path, _, _) = try walk.next() {
        if pattern.matches(path) { output.add(prefix.isEmpty || prefix == "." ? path : "\(prefix)/\(path)") }
      }
      if output.shown == 0 { return .text("No files match \(arguments.pattern)") }
      return .text(
        output.text(of: "files") + (walk.isCut ? "\n[the tree is too large: not all of it was searched]" : ""))
    } catch let error as FileError {
      return .failure(error.message, code: error.code.rawValue)
    }
  }
}
