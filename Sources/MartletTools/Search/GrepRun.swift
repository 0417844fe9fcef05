import Martlet
import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One search through a file or a tree, and what it found.
struct GrepRun {
  private let search: FileSearch
  private let include: GlobPattern?
  private var walk: DirectoryWalk
  private var output: CappedText
  private var matches = 0
  private var files = 0
  private var binaries = 0
  private var unreadable = 0

  init(_ pattern: LinePattern, include: GlobPattern?, output: CappedText, cancellation: BlockingWork.Cancellation) {
    search = FileSearch(pattern, cancellation: cancellation)
    self.include = include
    self.output = output
    walk = DirectoryWalk(cancellation: cancellation)
  }

  /// Searches what has been opened: a file, whatever `include` says, or all below a directory.
  mutating func search(_ start: borrowing OpenFile) throws {
    guard FileKind(mode: try start.status().st_mode) == .directory else {
      _ = try searchFile(start)
      return
    }
    let base = start.path
    var walk = walk
    try walk.run(start, ()) { _, _ in
      ()
    } visit: { directory, _, entry in
      guard entry.kind == .file, includes(entry, in: directory.path, base: base) else { return .next }
      do {
        let file = try directory.open(entry.name, flags: O_RDONLY)
        guard FileKind(mode: try file.status().st_mode) == .file else { return .next }
        return try searchFile(file)
      } catch is FileAccessError {
        unreadable += 1
        return .next
      }
    }
    self.walk = walk
  }

  private func includes(_ entry: DirectoryEntry, in directory: String, base: String) -> Bool {
    guard let include else { return true }
    if include.isSingleName { return include.matches(path: entry.text) }
    let path = directory.isEmpty ? entry.text : "\(directory)/\(entry.text)"
    // Models give it relative to the working directory or to `path`.
    return include.matches(path: path)
      || (!base.isEmpty && include.matches(path: String(path.dropFirst(base.count))))
  }

  private mutating func searchFile(_ file: borrowing OpenFile) throws -> DirectoryWalk.Step {
    let path = ControlText.escaped(file.path)
    var found = false
    var (output, matches) = (output, matches)
    let outcome = try search.run(file) { number, line, end in
      found = true
      guard output.append(line: "\(path):\(number): \(MatchLine.text(line, matchEnd: end))") else { return .stop }
      matches += 1
      return .next
    }
    (self.output, self.matches) = (output, matches)
    if found { files += 1 }
    if case .binary = outcome { binaries += 1 }
    if case .stopped = outcome { return .stop }
    return .next
  }

  var toolOutput: ToolOutput {
    var notices: [String] = []
    if output.isFull {
      notices.append("more matches are not shown; use a narrower pattern, path or include")
    }
    notices += walk.notices
    if unreadable > 0 {
      notices.append(unreadable == 1 ? "1 file could not be read" : "\(unreadable) files could not be read")
    }
    if binaries > 0 {
      notices.append(binaries == 1 ? "1 binary file was left out" : "\(binaries) binary files were left out")
    }
    let structured: JSONValue = [
      "matches": .number(JSONNumber(matches)), "files": .number(JSONNumber(files)), "complete": .bool(!output.isFull),
    ]
    guard matches > 0 else {
      return .structured(structured, text: (["No matches"] + notices.map { "[\($0)]" }).joined(separator: "\n"))
    }
    return .structured(structured, text: output.text(notices: notices))
  }
}
