import MartletCrypto

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What was computed of prompts' beginnings, in files that any number of processes share.
///
/// A cache may fail at any time without harm, so that nothing here throws: what cannot be read is computed, and what
/// cannot be kept is computed again.
struct PromptCache: Sendable {
  let options: PromptCacheOptions
  /// Tells the model and the engine that computed; states of others are of no use.
  let identity: [UInt8]

  /// What kind of thing is kept of some tokens.
  enum Kind: UInt8, Sendable {
    /// The engine's state after them.
    case state = 1
    /// The log-probabilities of texts after them.
    case scores = 2
  }

  private func key(_ kind: Kind, _ tokens: some Sequence<Token>, _ rest: [String] = []) -> [UInt8] {
    var key = [kind.rawValue] + identity + [0]
    for token in tokens { withUnsafeBytes(of: token.littleEndian) { key += $0 } }
    for text in rest { key += [0xFF] + Array(text.utf8) }
    return key
  }

  func state(after tokens: some Sequence<Token>) -> [UInt8]? {
    payload(key(.state, tokens)).map(Array.init)
  }

  func hasState(after tokens: some Sequence<Token>) -> Bool {
    access(path(key(.state, tokens)), F_OK) == 0
  }

  func keep(state: [UInt8], after tokens: some Sequence<Token>) {
    write(key(.state, tokens), state)
  }

  func scores(of texts: [String], after tokens: [Token]) -> [Double]? {
    guard let bytes = payload(key(.scores, tokens, texts)), bytes.count == 8 * texts.count else { return nil }
    return texts.indices.map { index in
      var bits: UInt64 = 0
      for byte in 0..<8 { bits |= UInt64(bytes[bytes.startIndex + 8 * index + byte]) << UInt64(8 * byte) }
      return Double(bitPattern: bits)
    }
  }

  func keep(scores: [Double], of texts: [String], after tokens: [Token]) {
    var bytes: [UInt8] = []
    for score in scores { withUnsafeBytes(of: score.bitPattern.littleEndian) { bytes += $0 } }
    write(key(.scores, tokens, texts), bytes)
  }

  // MARK: Files

  private func path(_ key: [UInt8]) -> String { "\(options.directory)/\(PromptCacheEntry.name(of: key))" }

  private func payload(_ key: [UInt8]) -> ArraySlice<UInt8>? {
    let path = path(key)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    // Only what this user wrote: a state that somebody else prepared could make the model say anything.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_size <= options.maximumBytes
    else { return nil }
    let count = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = read(file, buffer.baseAddress.map { $0 + initialized }, count - initialized)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { return }
        initialized += got
      }
    }
    guard let payload = PromptCacheEntry.payload(of: bytes, key: key) else {
      unlink(path)
      return nil
    }
    futimens(file, nil)  // used now
    return payload
  }

  private func write(_ key: [UInt8], _ payload: [UInt8]) {
    let bytes = PromptCacheEntry.bytes(key: key, payload: payload)
    guard bytes.count <= options.maximumBytes / 2 else { return }
    guard makeDirectory() else { return }
    let path = path(key)
    let scratch = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max)).new"
    let file = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    var done = 0
    bytes.withUnsafeBytes { buffer in
      while done < buffer.count {
        let count = Self.put(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        done += count
      }
    }
    // No fsync: after a power failure the hash tells.
    guard close(file) == 0, done == bytes.count, rename(scratch, path) == 0 else {
      unlink(scratch)
      return
    }
    shrink()
  }

  private static func put(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(file, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(file, bytes, count)
    #elseif canImport(Musl)
      Musl.write(file, bytes, count)
    #endif
  }

  private func makeDirectory() -> Bool {
    if access(options.directory, F_OK) == 0 { return true }
    var path = ""
    for part in options.directory.split(separator: "/") {
      path += "/\(part)"
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return false }
    }
    return true
  }

  /// Removes the files that were not used for longest until all fit.
  private func shrink() {
    guard let folder = opendir(options.directory) else { return }
    defer { closedir(folder) }
    var files: [(path: String, size: Int, used: (Int, Int))] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.contains(".prompt") else { continue }
      let path = "\(options.directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      files.append((path, Int(status.st_size), (Int(time.tv_sec), Int(time.tv_nsec))))
    }
    var total = files.reduce(0) { $0 + $1.size }
    guard total > options.maximumBytes else { return }
    files.sort { $0.used < $1.used }
    for file in files where total > options.maximumBytes {
      unlink(file.path)
      total -= file.size
    }
  }
}
