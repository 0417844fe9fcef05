#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Goes through a tree of directories in the order of names, never through a symbolic link, and not into the stores of
/// version control.
struct DirectoryWalk {
  /// What a visitor wants next.
  enum Step {
    case next, stop
  }

  /// Each level holds a descriptor.
  private static let depthLimit = 200
  private static let skipped: Set<String> = [".git", ".hg", ".svn", ".jj"]

  let cancellation: BlockingWork.Cancellation
  /// Directories that could not be read.
  private(set) var unreadable = 0
  /// Directories that were nested too deeply.
  private(set) var tooDeep = 0

  init(cancellation: BlockingWork.Cancellation) { self.cancellation = cancellation }

  /// - Parameters:
  ///   - state: what the visitor knows about the directory.
  ///   - enter: what it knows about an entry of it; nil leaves the entry out.
  ///   - visit: is given the directory of each entry that is no directory.
  /// - Returns: whether it was stopped.
  @discardableResult
  mutating func run<State>(
    _ directory: borrowing OpenFile, _ state: State, enter: (State, DirectoryEntry) -> State?,
    visit: (borrowing OpenFile, State, DirectoryEntry) throws -> Step
  ) throws -> Step {
    try run(directory, state, depth: 0, enter: enter, visit: visit)
  }

  private mutating func run<State>(
    _ directory: borrowing OpenFile, _ state: State, depth: Int, enter: (State, DirectoryEntry) -> State?,
    visit: (borrowing OpenFile, State, DirectoryEntry) throws -> Step
  ) throws -> Step {
    try cancellation.check()
    var entries: [DirectoryEntry]?
    do {
      entries = try directory.entries(isCancelled: { cancellation.isCancelled })
    } catch {
      unreadable += 1
      return .next
    }
    guard let entries else { throw CancellationError() }
    for entry in entries {
      guard let inner = enter(state, entry) else { continue }
      guard entry.kind == .directory else {
        try cancellation.check()
        if try visit(directory, inner, entry) == .stop { return .stop }
        continue
      }
      if Self.skipped.contains(entry.text) { continue }
      guard depth < Self.depthLimit else {
        tooDeep += 1
        continue
      }
      if try descend(directory, entry, inner, depth: depth, enter: enter, visit: visit) == .stop { return .stop }
    }
    return .next
  }

  private mutating func descend<State>(
    _ directory: borrowing OpenFile, _ entry: DirectoryEntry, _ state: State, depth: Int,
    enter: (State, DirectoryEntry) -> State?, visit: (borrowing OpenFile, State, DirectoryEntry) throws -> Step
  ) throws -> Step {
    guard let inner = openDirectory(entry, in: directory) else {
      unreadable += 1
      return .next
    }
    return try run(inner, state, depth: depth + 1, enter: enter, visit: visit)
  }

  private func openDirectory(_ entry: DirectoryEntry, in directory: borrowing OpenFile) -> OpenFile? {
    do throws(FileAccessError) {
      let inner = try directory.open(entry.name, flags: O_RDONLY | O_DIRECTORY)
      if inner.isKernelFile { return nil }
      return inner
    } catch {
      return nil  // counted by who asked
    }
  }

  /// What a reader of the result should know about what was left out.
  var notices: [String] {
    var notices: [String] = []
    if unreadable > 0 {
      notices.append(unreadable == 1 ? "1 directory could not be read" : "\(unreadable) directories could not be read")
    }
    if tooDeep > 0 { notices.append("\(tooDeep) directories are nested too deeply and were left out") }
    return notices
  }
}
