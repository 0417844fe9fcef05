/// All ordinary files below a directory, in order of their paths, without following links. `.git` is left out.
struct FileWalk {
  /// Entries that are looked at before the walk gives up.
  static let entryLimit = 500_000

  private struct Level {
    var directory: Descriptor
    var path: String
    var entries: ArraySlice<DirectoryEntry>
  }

  private var levels: [Level] = []
  private var seen = 0
  /// Whether the walk ended before its end, for its size.
  private(set) var isCut = false

  init(_ directory: Descriptor, path: String) throws(FileError) {
    levels = [Level(directory: directory, path: path, entries: try directory.entries()[...])]
  }

  /// The next file: its path and the directory that holds it.
  mutating func next() throws(CancellationError) -> (path: String, entry: DirectoryEntry, directory: Descriptor)? {
    while var level = levels.popLast() {
      guard let entry = level.entries.popFirst() else { continue }
      levels.append(level)
      seen += 1
      if seen > Self.entryLimit {
        isCut = true
        return nil
      }
      if seen % 256 == 0, Task.isCancelled { throw CancellationError() }
      let path = level.path.isEmpty ? entry.name : "\(level.path)/\(entry.name)"
      switch entry.kind {
      case .file: return (path, entry, level.directory)
      case .directory where entry.name != ".git" && levels.count < 128:
        guard let directory = level.directory.open(entry.name, isDirectory: true) else { continue }
        do { levels.append(Level(directory: directory, path: path, entries: try directory.entries()[...])) } catch {
          continue  // a directory that may not be read hides its files, and nothing else
        }
      default: continue
      }
    }
    return nil
  }
}
