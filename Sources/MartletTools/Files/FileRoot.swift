#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A directory that tools may read, and nothing outside of it.
///
/// Paths are walked part by part from an open directory, never following a link by itself: a link is read and walked in
/// turn, and one that leads out is refused. So neither `..`, nor a link, nor a link exchanged during the walk escapes.
/// Absolute paths are taken when they lie inside.
public struct FileRoot: Sendable, Hashable {
  /// The directory, absolute.
  public let path: String
  /// Links that one path may go through, as in the kernel.
  private static let linkLimit = 40

  /// The tree below a directory; a relative path starts at the process's working directory.
  public init(_ path: String) {
    if path.hasPrefix("/") {
      self.path = Self.normalized(path)
    } else {
      let current = getcwd(nil, 0)
      defer { free(current) }
      let base = current.map { String(cString: $0) } ?? "/"
      self.path = Self.normalized("\(base)/\(path)")
    }
  }

  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Opens a file for reading.
  func openFile(_ path: String) throws(FileError) -> Descriptor {
    let found = try walk(path)
    // Without O_NONBLOCK the open of a pipe would wait for a writer.
    guard let name = found.name else {
      throw FileError(code: .notAFile, message: "\(path) is a directory: use list_files to see what is in it")
    }
    let raw = openat(found.directory.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard raw >= 0 else { throw Self.error(errno, path) }
    let file = Descriptor(raw)
    guard let status = file.status else { throw Self.error(errno, path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return file
    case S_IFDIR:
      throw FileError(code: .notAFile, message: "\(path) is a directory: use list_files to see what is in it")
    default: throw FileError(code: .notAFile, message: "\(path) is not an ordinary file (a pipe, socket or device)")
    }
  }

  /// Opens a directory for listing; an empty path is the root.
  func openDirectory(_ path: String) throws(FileError) -> Descriptor {
    let found = try walk(path)
    guard let name = found.name else { return found.directory }
    let raw = openat(found.directory.raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard raw >= 0 else {
      if errno == ENOTDIR { throw FileError(code: .notADirectory, message: "\(path) is a file, not a directory") }
      throw Self.error(errno, path)
    }
    return Descriptor(raw)
  }

  /// The path from the root, for output; the given path where it does not lie below it by its letters.
  func relative(_ given: String) -> String {
    guard given.hasPrefix("/") else { return given }
    let normal = Self.normalized(given)
    if normal == path { return "" }
    let prefix = path == "/" ? "/" : path + "/"
    return normal.hasPrefix(prefix) ? String(normal.dropFirst(prefix.count)) : given
  }

  /// Walks a path to the directory that holds its last part, following links inside the root by hand.
  private func walk(_ given: String) throws(FileError) -> (directory: Descriptor, name: String?) {
    if given.utf8.contains(0) { throw FileError(code: .notFound, message: "a path cannot hold a NUL character") }
    var pending = Array(try parts(of: given, given).reversed())
    let root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw Self.error(errno, path) }
    var directories = [Descriptor(root)]
    var links = 0
    while let part = pending.popLast() {
      if part == "." { continue }
      if part == ".." {
        guard directories.count > 1 else { throw Self.outside(given) }
        directories.removeLast()
        continue
      }
      let parent = directories[directories.count - 1]
      if let target = Self.link(parent, part) {
        links += 1
        guard links <= Self.linkLimit else {
          throw FileError(code: .unreadable, message: "\(given) goes through too many links")
        }
        if target.hasPrefix("/") { directories.removeLast(directories.count - 1) }
        pending += try parts(of: target, given).reversed()
        continue
      }
      if pending.allSatisfy({ $0 == "." }) { return (parent, part) }
      let raw = openat(parent.raw, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard raw >= 0 else { throw Self.error(errno, given) }
      directories.append(Descriptor(raw))
    }
    return (directories[directories.count - 1], nil)
  }

  /// The parts of a path below the root.
  private func parts(of target: String, _ given: String) throws(FileError) -> [String] {
    guard target.hasPrefix("/") else { return target.split(separator: "/").map(String.init) }
    let prefix = path == "/" ? "/" : path + "/"
    guard target == path || target.hasPrefix(prefix) else { throw Self.outside(given) }
    return target.dropFirst(prefix.count).split(separator: "/").map(String.init)
  }

  private static func link(_ directory: Descriptor, _ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_097)
    let size = readlinkat(directory.raw, name, &buffer, 4_096)
    guard size >= 0 else { return nil }
    return String(decoding: buffer.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func outside(_ path: String) -> FileError {
    FileError(code: .outsideRoot, message: "\(path) lies outside of the working directory, which tools cannot leave")
  }

  static func error(_ number: Int32, _ path: String) -> FileError {
    switch number {
    case ENOENT: FileError(code: .notFound, message: "there is no file \(path.isEmpty ? "." : path)")
    case ENOTDIR: FileError(code: .notFound, message: "there is no file \(path): a part of the path is not a directory")
    case EACCES, EPERM: FileError(code: .unreadable, message: "\(path) may not be read: permission denied")
    case ELOOP: FileError(code: .unreadable, message: "\(path) changed while it was opened: try again")
    case ENXIO: FileError(code: .notAFile, message: "\(path) is not an ordinary file (a pipe, socket or device)")
    default: FileError(code: .unreadable, message: "\(path) cannot be read: \(String(cString: strerror(number)))")
    }
  }
}
