#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files read and written whole, with the system's reason when that fails.
enum FileAccess {
  /// Why a file could not be read or written.
  struct Failure: Error {
    let isMissing: Bool
    /// In the system's words, such as "Permission denied".
    let reason: String

    init(_ code: Int32) {
      isMissing = code == ENOENT || code == ENOTDIR
      reason = String(cString: strerror(code))
    }

    init(reason: String) {
      isMissing = false
      self.reason = reason
    }
  }

  /// The bytes of a file.
  /// - Parameter pipes: whether it may be anything that can be read to an end, such as `<(command)`. Waiting for that ends
  ///   when the task is cancelled. Never where a project could put a pipe that nobody writes to.
  static func read(_ path: String, limit: Int = 64 << 20, pipes: Bool = false) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(errno) }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw Failure(EISDIR) }
    guard pipes || kind == S_IFREG else { throw Failure(reason: "it is a pipe or a device, not a file") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, max(4096, Int(status.st_size) + 1)))
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if kind != S_IFREG { try waitForInput(descriptor) }
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw Failure(errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw Failure(reason: "it has more than \(limit >> 20) MiB") }
    }
  }

  private static func waitForInput(_ descriptor: Int32) throws(Failure) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 50) <= 0 {
      if Task.isCancelled { throw Failure(reason: "reading it was cancelled") }
    }
  }

  /// Writes a file that only the user can read: all of it, or nothing (a temporary file takes the old one's place).
  static func writePrivate(_ bytes: [UInt8], to path: String) throws(Failure) {
    let temporary = "\(path).\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(errno) }
    var failure: Int32?
    var rest = bytes[...]
    while !rest.isEmpty, failure == nil {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
    }
    if failure == nil, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    if failure == nil, rename(temporary, path) != 0 { failure = errno }
    if let failure {
      unlink(temporary)
      throw Failure(failure)
    }
  }

  /// Does something while no other process does the like in a directory, which has to be there.
  /// - Parameter patience: how long to wait for another process, without holding up a thread or an actor.
  static func locked<Result>(
    _ directory: String, patience: Duration = .seconds(10), _ body: () throws -> Result
  ) async throws -> Result {
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { throw Failure(errno) }
    defer { close(descriptor) }
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else { throw Failure(code) }
      guard clock.now < deadline else {
        throw Failure(reason: "another process is writing there and does not come to an end: try again later")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    return try body()
  }

  /// Makes a directory and those above it; what is new is the user's alone.
  static func makePrivateDirectory(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT != S_IFDIR { throw Failure(ENOTDIR) }
      return
    }
    guard errno == ENOENT else { throw Failure(errno) }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makePrivateDirectory(String(path[..<slash]))
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(errno) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Bytes of a file; nil when there is none.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The permission bits; nil when there is no such file.
  static func mode(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_mode & 0o7777) : nil
  }

  /// The path without links and dots; nil when there is no such file.
  static func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether somebody else put the file into a directory that everybody may write to.
  static func isStrangers(_ path: String) -> Bool {
    var file = stat()
    var directory = stat()
    let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard stat(path, &file) == 0, stat(parent, &directory) == 0 else { return false }
    return directory.st_mode & S_IWOTH != 0 && file.st_uid != geteuid() && file.st_uid != 0
  }

  private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, buffer, count)
    #else
      Musl.read(descriptor, buffer, count)
    #endif
  }

  private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, buffer, count)
    #elseif canImport(Glibc)
      Glibc.write(descriptor, buffer, count)
    #else
      Musl.write(descriptor, buffer, count)
    #endif
  }
}
