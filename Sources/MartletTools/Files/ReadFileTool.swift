public import Martlet
public import MartletJSON

/// Reads a text file, as tool `read_file`.
public struct ReadFileTool: Tool {
  /// What to read.
  public struct Arguments: ToolArguments {
    @Parameter("Path of the file, from the working directory") public var path: String
    @Parameter("First line to read, from 1", in: 1...) public var offset: Int = 1
    @Parameter("How many lines to read at most", in: 1...) public var limit: Int = 2_000

    public init() {}
  }

  /// UTF-8 bytes kept of one line.
  static let lineLimit = 2_000
  private let root: FileRoot?

  /// - Parameter root: what may be read; nil for the call's working directory.
  public init(root: FileRoot? = nil) { self.root = root }

  public var name: String { "read_file" }
  public var title: String { "Read file" }
  public var description: String {
    "Reads a text file, with line numbers. Use it to see what a file says. Long files come in parts: ask for the next "
      + "part with offset. Runs locally; only files in the working directory can be read."
  }
  public var effect: ToolEffect { .readOnly }

  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = root ?? FileRoot(context.workingDirectory)
    do {
      return try read(root.openFile(arguments.path), arguments, byteLimit: context.tokenLimit * 4 - 200)
    } catch let error as FileError {
      return .failure(error.message, code: error.code.rawValue)
    }
  }

  private func read(_ file: Descriptor, _ arguments: Arguments, byteLimit: Int) throws -> ToolOutput {
    var lines = LineReader(file, lineLimit: Self.lineLimit)
    if lines.looksBinary() {
      let size = file.size
      return .failure("\(arguments.path) is not a text file (\(size) bytes)", code: FileError.Code.notAFile.rawValue)
    }
    var text = ""
    var number = 0
    var shown = 0
    var isInvalid = false
    while let (line, cut) = lines.next() {
      number += 1
      if number % 1_024 == 0 { try Task.checkCancellation() }
      guard number >= arguments.offset else { continue }
      if shown == arguments.limit || text.utf8.count + line.count > byteLimit {
        return .text(text + "[… more lines follow: read on with offset \(number)]")
      }
      let content = String(decoding: line, as: UTF8.self)
      if content.utf8.count != line.count { isInvalid = true }
      text += "\(number)\t\(content)\(cut > 0 ? " [… \(cut) bytes of this line left out]" : "")\n"
      shown += 1
    }
    if lines.hasFailed { return .failure("\(arguments.path) could not be read to its end", code: "UNREADABLE") }
    if shown == 0 {
      return .text(
        number == 0
          ? "(the file is empty)" : "(the file has \(number) lines: there is nothing from line \(arguments.offset) on)")
    }
    if isInvalid { text += "[bytes that are no UTF-8 are shown as \u{FFFD}]\n" }
    text.removeLast()
    return .text(text)
  }
}
