import CFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A directory out of which no path leads.
///
/// A path is walked one name at a time, each opened relative to the directory before it and never through a symbolic
/// link; links are read and walked the same way, and ".." goes back to the directory we came from. So neither links nor
/// ".." lead out, also when someone exchanges them meanwhile. Absolute paths are fine where they lie inside.
struct FileRoot: Sendable {
  /// How many links a path may lead through, as in Linux.
  private static let linkLimit = 40

  /// As it was given, without trailing slashes.
  let path: String
  /// Without symbolic links, by which absolute paths are recognised too.
  private let canonicalPath: String?

  init(_ path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    if let real = realpath(path, nil) {
      canonicalPath = String(cString: real)
      free(real)
    } else {
      canonicalPath = nil
    }
  }

  /// Opens a regular file for reading.
  func openFile(_ path: String) throws(FileAccessError) -> OpenFile {
    let file = try open(path, lastFlags: O_RDONLY)
    switch FileKind(mode: try file.status().st_mode) {
    case .directory: throw FileAccessError(.isDirectory, path)
    case .file where !file.isKernelFile: return file
    default: throw FileAccessError(.notRegular, path)
    }
  }

  /// Opens a directory for listing.
  func openDirectory(_ path: String) throws(FileAccessError) -> OpenFile {
    let directory = try open(path, lastFlags: O_RDONLY | O_DIRECTORY)
    if directory.isKernelFile { throw FileAccessError(.notRegular, path) }
    return directory
  }

  /// Opens a file or a directory for reading.
  func open(_ path: String) throws(FileAccessError) -> OpenFile {
    let file = try open(path, lastFlags: O_RDONLY)
    let kind = FileKind(mode: try file.status().st_mode)
    guard kind == .file || kind == .directory, !file.isKernelFile else {
      throw FileAccessError(.notRegular, path)
    }
    return file
  }

  private func open(_ path: String, lastFlags: Int32) throws(FileAccessError) -> OpenFile {
    guard !path.utf8.contains(0) else { throw FileAccessError(.invalidPath, path) }
    guard let names = names(of: path) else { throw FileAccessError(.outsideRoot, path) }
    let descriptor = openSearchable(self.path)
    guard descriptor >= 0 else { throw FileAccessError(errno: errno, self.path) }
    var walk = Walk(root: self, path: path, names: names, descriptor: descriptor)
    return try walk.run(lastFlags: lastFlags)
  }

  /// The names of a path below the root; nil for an absolute path outside.
  func names(of path: String) -> [String]? {
    guard path.hasPrefix("/") else { return path.split(separator: "/").map(String.init) }
    for prefix in [self.path, canonicalPath].compactMap(\.self) where prefix.hasPrefix("/") {
      if prefix == "/" { return path.split(separator: "/").map(String.init) }
      if path == prefix || path.hasPrefix(prefix + "/") {
        return path.dropFirst(prefix.count).split(separator: "/").map(String.init)
      }
    }
    return nil
  }

  /// One path on its way.
  private struct Walk: ~Copyable {
    private let root: FileRoot
    private let path: String
    /// What is still to be walked, the next name last.
    private var rest: [String]
    /// The directories from the root to where we are.
    private var directories: [Int32]
    private var names: [String] = []
    private var linksLeft = FileRoot.linkLimit

    init(root: FileRoot, path: String, names: [String], descriptor: Int32) {
      self.root = root
      self.path = path
      rest = names.reversed()
      directories = [descriptor]
    }

    deinit { for directory in directories { close(directory) } }

    private var current: Int32 { directories[directories.count - 1] }

    mutating func run(lastFlags: Int32) throws(FileAccessError) -> OpenFile {
      // Never waits for the other end of a pipe, never becomes the terminal of this process.
      let lastFlags = lastFlags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      while let name = rest.popLast() {
        switch name {
        case ".": continue
        case "..":
          guard directories.count > 1 else { throw FileAccessError(.outsideRoot, path) }
          close(directories.removeLast())
          names.removeLast()
        default:
          let isLast = rest.allSatisfy { $0 == "." }
          let flags = isLast ? lastFlags : cfiles_search_flag() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
          let descriptor = openat(current, name, flags)
          if descriptor >= 0 {
            if isLast { return OpenFile(descriptor: descriptor, path: (names + [name]).joined(separator: "/")) }
            directories.append(descriptor)
            names.append(name)
          } else {
            try follow(name, failure: errno)
          }
        }
      }
      // It led back to a directory that is open for searching only.
      let descriptor = openat(current, ".", lastFlags)
      guard descriptor >= 0 else { throw FileAccessError(errno: errno, path) }
      return OpenFile(descriptor: descriptor, path: names.joined(separator: "/"))
    }

    /// A name could not be opened: if it is a link, walks on where it points.
    private mutating func follow(_ name: String, failure: Int32) throws(FileAccessError) {
      guard failure == ELOOP || failure == ENOTDIR || failure == EMLINK else {
        throw FileAccessError(errno: failure, path)
      }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(current, name, &buffer, buffer.count)
      guard count >= 0 else { throw FileAccessError(errno: errno == EINVAL ? failure : errno, path) }
      linksLeft -= 1
      guard linksLeft >= 0 else { throw FileAccessError(.tooManyLinks, path) }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let targetNames = root.names(of: target) else { throw FileAccessError(.outsideRoot, path) }
      if target.hasPrefix("/") {
        for directory in directories.dropFirst() { close(directory) }
        directories.removeLast(directories.count - 1)
        names = []
      }
      rest += targetNames.reversed()
    }
  }
}

private func openSearchable(_ path: String) -> Int32 {
  open(path, cfiles_search_flag() | O_DIRECTORY | O_CLOEXEC)
}
