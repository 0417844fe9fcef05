import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file, closed with its last reference, and the system calls that stores need. All of them block.
package final class StorageFile {
  /// Why a call failed.
  package struct Failure: Error, CustomStringConvertible {
    package let code: Int32
    /// In the system's words; of a full disk, what to do.
    package var description: String {
      code == ENOSPC || code == EDQUOT ? "there is no space left: make room and go on" : String(cString: strerror(code))
    }
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    package var isTaken: Bool { code == EEXIST }
  }

  private let descriptor: Int32

  /// Opens a file for reading and writing, or only for reading where the user may not write it.
  package init(_ path: String, create: Bool = false, exclusive: Bool = false) throws(Failure) {
    let flags = O_CLOEXEC | (create ? O_CREAT : 0) | (exclusive ? O_EXCL : 0)
    var opened = open(path, O_RDWR | flags, 0o600)
    if opened < 0, !create, errno == EACCES || errno == EROFS { opened = open(path, O_RDONLY | O_CLOEXEC) }
    guard opened >= 0 else { throw Failure(code: errno) }
    descriptor = opened
  }

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  package var size: Int {
    get throws(Failure) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
      return Int(status.st_size)
    }
  }

  /// Whether it is the user's own, and nobody else may read or write it.
  package var isPrivate: Bool {
    get throws(Failure) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
      return status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
  }

  /// The bytes of a range, fewer where the file ends.
  package func read(_ range: Range<Int>) throws(Failure) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let offset = off_t(range.lowerBound + count)
        let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, range.count - count, offset)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    if let failure { throw Failure(code: failure) }
    return bytes
  }

  /// Writes bytes at a place, all of them.
  package func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    var failure: Int32?
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, failure == nil {
        let count = pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
        if count >= 0 { done += count } else if errno != EINTR { failure = errno }
      }
    }
    if let failure { throw Failure(code: failure) }
  }

  package func truncate(to size: Int) throws(Failure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Failure(code: errno) }
  }

  /// Waits until what was written is safe from a loss of power.
  package func sync() throws(Failure) {
    #if canImport(Darwin)
      // fsync does not order writes within the drive there; a barrier does, at a fraction of F_FULLFSYNC's cost.
      if fcntl(descriptor, F_BARRIERFSYNC) == 0 { return }
      guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
    #else
      guard fdatasync(descriptor) == 0 else { throw Failure(code: errno) }
    #endif
  }

  /// Takes the lock of the file, which is this open file's until it is closed, also by the end of the process; false when
  /// another has it.
  package func lock() throws(Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw Failure(code: errno) }
    }
    return true
  }

  /// Whether the file still has this path.
  package func isAt(_ path: String) -> Bool {
    var here = stat()
    var there = stat()
    return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino
      && here.st_dev == there.st_dev
  }

  // MARK: Directories

  /// Makes a directory and those above it; what is new is the user's alone.
  package static func makeDirectory(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw Failure(code: errno)
    }
    try makeDirectory(String(path[..<slash]))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(code: errno) }
  }

  /// Makes new and renamed files of a directory safe from a loss of power.
  package static func syncDirectory(_ path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
  }

  /// The names in a directory; none when there is no such directory.
  package static func names(in path: String) throws(Failure) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw Failure(code: errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a file. Does nothing if there is none.
  package static func remove(_ path: String) throws(Failure) {
    if unlink(path) != 0, errno != ENOENT { throw Failure(code: errno) }
  }

  /// Removes a directory with the files in it. Does nothing if there is none.
  package static func removeDirectory(_ path: String) throws(Failure) {
    for name in try names(in: path) { try remove(path + "/" + name) }
    if rmdir(path) != 0, errno != ENOENT { throw Failure(code: errno) }
  }

  package static func rename(_ path: String, to other: String) throws(Failure) {
    guard systemRename(path, other) == 0 else { throw Failure(code: errno) }
  }

  private static func systemRename(_ path: String, _ other: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.rename(path, other)
    #elseif canImport(Glibc)
      Glibc.rename(path, other)
    #else
      Musl.rename(path, other)
    #endif
  }

  /// A text as part of a file's name: one for each text, without separators or hidden files.
  package static func name(for text: String) -> String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return name
  }

  /// The text that `name(for:)` was made from.
  package static func text(fromName name: String) -> String? { PercentEscapes.decoded(name) }
}
