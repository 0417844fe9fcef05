public import Martlet
public import MartletJSON

/// Searches the text of files, as tool `grep`. Finding nothing is the text "No matches", not an error.
public struct GrepTool: Tool {
  /// What to search for.
  public struct Arguments: ToolArguments {
    @Parameter("Regular expression to search for in each line", examples: ["func send"]) public var pattern: String
    @Parameter("File or directory to search, from the working directory; leave it out to search all of it")
    public var path: String?
    @Parameter("Only files whose name or path fits this pattern, such as *.swift") public var include: String?

    public init() {}
  }

  private let root: FileRoot?

  /// - Parameter root: what may be searched; nil for the call's working directory.
  public init(root: FileRoot? = nil) { self.root = root }

  public var name: String { "grep" }
  public var title: String { "Search in files" }
  public var description: String {
    "Searches the text of files for a regular expression and shows each line with its file and number. Use it to find "
      + "where something is defined or mentioned. Runs locally; links are not followed, binary files and .git are left out."
  }
  public var effect: ToolEffect { .readOnly }

  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let root = root ?? FileRoot(context.workingDirectory)
    do {
      let matcher = try LineMatcher(arguments.pattern)
      let include = try arguments.include.map { try GlobPattern($0) }
      var output = CappedText(limit: context.tokenLimit * 4 - 200)
      let path = arguments.path ?? "."
      var isCut = false
      if let file = try singleFile(root, path) {
        try search(file, path: root.relative(path), matcher, into: &output)
      } else {
        let prefix = root.relative(path)
        var walk = try FileWalk(root.openDirectory(path), path: prefix == "." ? "" : prefix)
        while let (path, entry, directory) = try walk.next() {
          if let include, !include.matches(path) { continue }
          guard let file = directory.open(entry.name, isDirectory: false) else { continue }
          try search(file, path: path, matcher, into: &output)
        }
        isCut = walk.isCut
      }
      let notice = isCut ? "\n[the tree is too large: not all of it was searched]" : ""
      return .text((output.shown == 0 ? "No matches" : output.text(of: "matching lines")) + notice)
    } catch let error as FileError {
      return .failure(error.message, code: error.code.rawValue)
    }
  }

  /// The file at a path, nil when there is a directory.
  private func singleFile(_ root: FileRoot, _ path: String) throws(FileError) -> Descriptor? {
    do { return try root.openFile(path) } catch {
      if error.code == .notAFile { return nil }
      throw error
    }
  }

  private func search(
    _ file: Descriptor, path: String, _ matcher: LineMatcher, into output: inout CappedText
  ) throws {
    var lines = LineReader(file, lineLimit: 65_536)
    if lines.looksBinary() { return }
    var number = 0
    while let (line, _) = lines.next() {
      number += 1
      if number % 1_024 == 0 { try Task.checkCancellation() }
      guard matcher.matches(line) else { continue }
      let shown = String(decoding: line.prefix(500), as: UTF8.self)
      output.add("\(path):\(number): \(shown)\(line.count > 500 ? " […]" : "")")
    }
  }
}
