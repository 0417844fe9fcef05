public import Martlet
public import MartletJSON

/// Reads text files below a directory, as tool `read_file`.
public struct ReadFileTool: Tool {
  /// Which file, and which of its lines.
  public struct Arguments: ToolArguments {
    @Parameter("Path of the file, from the working directory") public var path: String
    @Parameter("First line to read, from 1", in: 1...) public var offset: Int = 1
    @Parameter("How many lines to read at most", in: 1...) public var limit: Int?

    public init() {}
  }

  private let root: String?

  /// - Parameter root: the directory that no path leads out of; nil for the working directory of each call.
  public init(root: String? = nil) { self.root = root }

  public var name: String { "read_file" }
  public var title: String { "Read file" }
  public var description: String {
    "Reads a text file. Use it to see what a file says. Long files come in parts: ask for the next part with offset. "
      + "Runs locally; only files in the working directory can be read."
  }
  public var effect: ToolEffect { .readOnly }

  /// The text is the file's; notices about what was left out follow it in brackets.
  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = FileRoot(root ?? context.workingDirectory)
    let (path, offset, limit) = (arguments.path, arguments.offset, arguments.limit)
    if path.hasPrefix(KeptText.scheme) { return try await Self.keptResult(arguments, context) }
    return try await BlockingWork.run { cancellation in
      do {
        let file = try root.openFile(path)
        let excerpt = try FileExcerpt(
          of: file, offset: offset, limit: limit, output: CappedText(context: context), cancellation: cancellation)
        return Self.output(excerpt, path: file.path)
      } catch let error as FileAccessError {
        return .failure("\(error)", code: error.code)
      } catch let error as FileExcerpt.Binary {
        return .failure(
          "\"\(path)\" is not a text file (\(ByteSize.text(error.size))) and cannot be shown.", code: "BINARY_FILE")
      }
    }
  }

  /// Lines of an earlier result that was cut for the context.
  private static func keptResult(_ arguments: Arguments, _ context: ToolContext) async throws -> ToolOutput {
    let callId = String(arguments.path.dropFirst(KeptText.scheme.count))
    guard let bytes = try await context.keptResult(of: callId) else {
      return .failure("There is no kept result \"\(callId)\"; call the tool again.", code: "NOT_FOUND")
    }
    let text = KeptText(bytes)
    guard arguments.offset <= text.count else {
      return .failure("The result has \(text.count) lines, so none from \(arguments.offset) on.", code: "INVALID_ARGS")
    }
    var output = CappedText(context: context)
    var line = arguments.offset - 1
    let end = line + min(text.count - line, arguments.limit ?? .max)
    while line < end, output.append(line: text[line]) { line += 1 }
    return .text(
      output.text(
        notices: line < text.count
          ? ["lines \(arguments.offset) to \(line) of \(text.count); continue with offset \(line + 1)"] : []))
  }

  private static func output(_ excerpt: FileExcerpt, path: String) -> ToolOutput {
    guard excerpt.lineCount > 0 else {
      let total = excerpt.totalLines ?? 0
      if excerpt.firstLine > 1 {
        return .failure(
          "\"\(path)\" has \(total) \(total == 1 ? "line" : "lines"), so none from \(excerpt.firstLine) on.",
          code: "INVALID_ARGS")
      }
      return .structured(["path": .string(path), "lines": 0], text: "[the file is empty]")
    }
    return .structured(
      [
        "path": .string(path), "first_line": .number(JSONNumber(excerpt.firstLine)),
        "lines": .number(JSONNumber(excerpt.lineCount)),
        "total_lines": excerpt.totalLines.map { .number(JSONNumber($0)) } ?? .null,
      ], text: excerpt.output.text(notices: excerpt.notices))
  }
}
