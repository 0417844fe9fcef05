import MartletCrypto

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is being fetched: bytes are only ever added at its end, so what is there after an interruption is a right
/// beginning. Locked against other processes until it is closed.
final class PartialFile {
  let path: String
  private let descriptor: Int32
  private(set) var length: Int

  /// Opens or creates it.
  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("create", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw ModelStoreError(.busy, "Another process is fetching this model (\(path)); wait until it has finished.")
    }
    length = Int(lseek(descriptor, 0, SEEK_END))
  }

  deinit { close(descriptor) }

  /// Adds bytes at the end.
  /// - Throws: `ModelStoreError` with `noSpace` or `notWritable`; what was written before stays.
  func append(_ bytes: some Sequence<UInt8>) throws {
    try Array(bytes).withUnsafeBytes { try append($0) }
  }

  /// The same with bytes that lie in one piece.
  func append(_ buffer: UnsafeRawBufferPointer) throws {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(length))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("write", path) }
      length += count
      rest = rest.dropFirst(count)
    }
  }

  func truncate(to newLength: Int) throws {
    guard ftruncate(descriptor, off_t(newLength)) == 0 else { throw Self.failure("shorten", path) }
    length = newLength
  }

  /// Takes note of what another process added.
  func refresh() { length = Int(lseek(descriptor, 0, SEEK_END)) }

  /// Makes sure that the bytes survive a power failure, and gives the file its final name.
  func commit(to finalPath: String) throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("write", path) }
    guard rename(path, finalPath) == 0 else { throw Self.failure("rename", path) }
  }

  /// The hash of all bytes of a file, as hexadecimal digits.
  static func sha256(of path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    var hash = SHA256()
    let size = 1 << 20
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      try Task.checkCancellation()
      let count = read(file, buffer.baseAddress, size)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      guard count > 0 else { return hash.finalize().hex }
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  static func failure(_ action: String, _ path: String) -> ModelStoreError {
    let number = errno
    if number == ENOSPC || number == EDQUOT {
      return ModelStoreError(
        .noSpace, "The disk is full; free some space and pull again: what was fetched is kept in \(path).")
    }
    return ModelStoreError(
      .notWritable, "Cannot \(action) \(path): \(String(cString: strerror(number))); check the permissions.")
  }
}
