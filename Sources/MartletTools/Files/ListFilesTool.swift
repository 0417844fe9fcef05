public import Martlet
public import MartletJSON

/// Lists a directory, as tool `list_files`.
public struct ListFilesTool: Tool {
  /// What to list.
  public struct Arguments: ToolArguments {
    @Parameter("Directory, from the working directory; leave it out for the working directory itself")
    public var path: String = "."

    public init() {}
  }

  private let root: FileRoot?

  /// - Parameter root: what may be listed; nil for the call's working directory.
  public init(root: FileRoot? = nil) { self.root = root }

  public var name: String { "list_files" }
  public var title: String { "List files" }
  public var description: String {
    "Lists the files and directories in a directory, with sizes. Use it to see what is there. To find files by name in "
      + "all directories use glob. Runs locally."
  }
  public var effect: ToolEffect { .readOnly }

  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = root ?? FileRoot(context.workingDirectory)
    do {
      let entries = try root.openDirectory(arguments.path).entries()
      if entries.isEmpty { return .text("(the directory is empty)") }
      var output = CappedText(limit: context.tokenLimit * 4 - 200)
      for entry in entries {
        let line =
          switch entry.kind {
          case .file: "\(entry.name)  \(entry.size) bytes"
          case .directory: "\(entry.name)/"
          case .link: "\(entry.name)  (link)"
          case .other: "\(entry.name)  (pipe, socket or device)"
          }
        output.add(line)
      }
      return .text(output.text(of: "entries"))
    } catch {
      return .failure(error.message, code: error.code.rawValue)
    }
  }
}
