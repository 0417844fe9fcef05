import CFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A descriptor that is closed when it goes out of scope.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  /// Relative to the root, without "." and ".."; empty for the root itself.
  let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func status() throws(FileAccessError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileAccessError(errno: errno, path) }
    return status
  }

  /// In bytes.
  func size() throws(FileAccessError) -> Int { Int(try status().st_size) }

  /// Whether it belongs to a file system that the kernel makes up.
  var isKernelFile: Bool { cfiles_is_kernel_file(descriptor) != 0 }

  /// Reads up to the buffer's size; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileAccessError) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw FileAccessError(errno: errno, path) }
    }
  }
}

/// What kind of thing a directory entry or a status is.
enum FileKind: Hashable, Sendable {
  case file, directory, link, other

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
