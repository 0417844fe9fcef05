public import Martlet
public import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lists directories below a directory, as tool `list_files`.
public struct ListFilesTool: Tool {
  /// Which directory.
  public struct Arguments: ToolArguments {
    @Parameter("Directory, from the working directory; leave it out for the working directory itself")
    public var path: String = "."

    public init() {}
  }

  private let root: String?

  /// - Parameter root: the directory that no path leads out of; nil for the working directory of each call.
  public init(root: String? = nil) { self.root = root }

  public var name: String { "list_files" }
  public var title: String { "List files" }
  public var description: String {
    "Lists the files and directories in a directory, with sizes. Use it to see what is there. To find files by name in "
      + "all directories use glob. Runs locally."
  }
  public var effect: ToolEffect { .readOnly }

  /// One line an entry, sorted by name.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = FileRoot(root ?? context.workingDirectory)
    let path = arguments.path
    return try await BlockingWork.run { cancellation in
      do {
        let directory = try root.openDirectory(path)
        guard let entries = try directory.entries(isCancelled: { cancellation.isCancelled }) else {
          throw CancellationError()
        }
        return Self.output(directory, entries, CappedText(context: context))
      } catch let error as FileAccessError {
        return .failure("\(error)", code: error.code)
      }
    }
  }

  private static func output(
    _ directory: borrowing OpenFile, _ entries: [DirectoryEntry], _ text: CappedText
  ) -> ToolOutput {
    var (text, shown) = (text, 0)
    for entry in entries {
      guard text.append(line: line(entry, in: directory)) else { break }
      shown += 1
    }
    var notices: [String] = []
    if shown < entries.count {
      notices.append("\(shown) of \(entries.count) entries; use glob with a pattern to see the others")
    }
    return .structured(
      [
        "path": .string(directory.path.isEmpty ? "." : directory.path),
        "entries": .number(JSONNumber(entries.count)), "shown": .number(JSONNumber(shown)),
      ], text: entries.isEmpty ? "[the directory is empty]" : text.text(notices: notices))
  }

  private static func line(_ entry: DirectoryEntry, in directory: borrowing OpenFile) -> String {
    let name = ControlText.escaped(entry.text)
    switch entry.kind {
    case .directory: return name + "/"
    case .file:
      var status = stat()
      let descriptor = directory.descriptor
      let found = withCString(entry.name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
      return found == 0 ? "\(name) (\(ByteSize.text(Int(status.st_size))))" : name
    case .link: return "\(name) -> \(ControlText.escaped(directory.linkTarget(entry.name) ?? "?"))"
    case .other: return "\(name) (special file)"
    }
  }
}
