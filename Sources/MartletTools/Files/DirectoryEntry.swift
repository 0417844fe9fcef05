#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A name in a directory. Names are bytes: nothing makes them UTF-8.
struct DirectoryEntry: Hashable, Sendable {
  let name: [UInt8]
  let kind: FileKind

  /// For people and models; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: name, as: UTF8.self) }
}

extension OpenFile {
  /// The entries of a directory but "." and "..", sorted by their bytes. Nil when `isCancelled` says so meanwhile.
  func entries(isCancelled: () -> Bool = { false }) throws(FileAccessError) -> [DirectoryEntry]? {
    // The stream takes over the descriptor it is given.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { throw FileAccessError(errno: errno, path) }
    defer { closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileAccessError(errno: errno, path) }
        break
      }
      if entries.count % 1_024 == 1_023, isCancelled() { return nil }
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      let length = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      let bytes = [UInt8](UnsafeBufferPointer(start: name, count: length))
      if bytes == [46] || bytes == [46, 46] { continue }
      entries.append(DirectoryEntry(name: bytes, kind: kind(of: bytes, type: entry.pointee.d_type)))
    }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  private func kind(of name: [UInt8], type: UInt8) -> FileKind {
    switch Int(type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_LNK): return .link
    case Int(DT_UNKNOWN):
      // Some file systems do not say.
      var status = stat()
      let found = withCString(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
      return found == 0 ? FileKind(mode: status.st_mode) : .other
    default: return .other
    }
  }

  /// Where a symbolic link points; nil if it cannot be read.
  func linkTarget(_ name: [UInt8]) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = withCString(name) { readlinkat(descriptor, $0, &buffer, buffer.count) }
    return count < 0 ? nil : String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens an entry of this directory, never through a link.
  func open(_ name: [UInt8], flags: Int32) throws(FileAccessError) -> OpenFile {
    let text = String(decoding: name, as: UTF8.self)
    let path = self.path.isEmpty ? text : "\(self.path)/\(text)"
    let opened = withCString(name) {
      openat(descriptor, $0, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    guard opened >= 0 else { throw FileAccessError(errno: errno, path) }
    return OpenFile(descriptor: opened, path: path)
  }
}

/// Runs `body` with the bytes as a C string.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (bytes + [0]).withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
