#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What there is at a path.
extension StorageFile {
  /// The path without links and dots; nil when there is no such file.
  package static func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What a path leads to.
  enum Kind {
    case file, directory, link, other
  }

  /// Nil when there is nothing.
  static func kind(_ path: String, followsLinks: Bool = false) -> Kind? {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// What changes when a file does.
  struct Trace: Sendable, Hashable {
    var device: UInt64
    var node: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// Nil when there is no file. Links are followed.
  static func trace(_ path: String) -> Trace? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Trace(
      device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// The name after the last slash.
  static func lastComponent(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "/")
  }

  /// The bytes of a file that lies somewhere below a directory, up to a limit. Fails where any part of its path from there
  /// on is a link, and for what is no file.
  static func readWithoutLinks(_ path: String, below directory: String, limit: Int) throws(Failure) -> [UInt8] {
    var parts = path.dropFirst(directory.count).split(separator: "/")
    guard let file = parts.popLast() else { throw Failure(code: EISDIR) }
    var current = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard current >= 0 else { throw Failure(code: errno) }
    defer { close(current) }
    for part in parts {
      let next = openat(current, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else { throw Failure(code: errno) }
      close(current)
      current = next
    }
    // Not blocking: a pipe would wait for somebody to write.
    let descriptor = openat(current, String(file), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let opened = StorageFile(descriptor: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: EINVAL) }
    return try opened.read(0..<limit)
  }

  /// Puts a file with these bytes in the place of the one at a path: all of it or nothing, readable for the user alone, safe
  /// from a loss of power. Of several writers at once the last one's file stays, whole.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    do {
      let file = try StorageFile(temporary, create: true, exclusive: true)
      try file.write(bytes, at: 0)
      try file.sync()
      try rename(temporary, to: path)
    } catch {
      // What went wrong is the first failure, not that its remains could not be taken away.
      _ = Result { () throws(Failure) in try remove(temporary) }
      throw error
    }
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try syncDirectory(directory.isEmpty ? "/" : directory)
  }
}
