#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One name in a directory.
struct DirectoryEntry: Sendable, Hashable {
  enum Kind: Sendable { case file, directory, link, other }

  var name: String
  var kind: Kind
  /// In bytes; 0 for what is no file.
  var size: Int
}

extension Descriptor {
  /// What is in the directory, sorted by name; at most `limit` entries. Names that are no UTF-8 are left out: no tool could
  /// name them back.
  func entries(limit: Int = 100_000) throws(FileError) -> [DirectoryEntry] {
    let copy = dup(raw)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let number = errno
      if copy >= 0 { close(copy) }
      throw FileRoot.error(number, "the directory")
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var entries: [DirectoryEntry] = []
    while entries.count < limit, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(validatingCString: $0)
        }
      }
      guard let name, name != ".", name != ".." else { continue }
      var status = stat()
      guard fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let kind: DirectoryEntry.Kind =
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .other
        }
      entries.append(DirectoryEntry(name: name, kind: kind, size: kind == .file ? Int(status.st_size) : 0))
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// Opens something in this directory without following a link.
  func open(_ name: String, isDirectory: Bool) -> Descriptor? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isDirectory ? O_DIRECTORY : 0)
    let raw = openat(self.raw, name, flags)
    return raw >= 0 ? Descriptor(raw) : nil
  }
}
