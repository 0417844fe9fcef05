/// Notes that outlive conversations: one Markdown file, a note an item of its list.
///
/// The file is the user's: it may be read, edited and deleted with anything. What is written here keeps the rest of it as
/// it is, takes effect as a whole or not at all (a new file takes the old one's place), waits for other processes that
/// write (a lock in `FILE.lock`) and leaves the file readable for the user alone (mode 0600).
public struct MemoryStore: Sendable, Hashable {
  /// Bytes that the file may have: 16 KiB, some 4,000 tokens of every prompt.
  public static let standardLimit = 16 * 1024
  /// Bytes that one note may have.
  public static let noteLimit = 2 * 1024
  /// Bytes of a file that are read at all.
  private static let readLimit = 4 << 20

  /// The file, absolute.
  public let path: String
  /// Bytes that the file may have.
  public let limit: Int
  /// How long to wait for another process that writes.
  var patience: Duration = .seconds(30)

  /// A memory in a file. The file and its directory are made with the first note.
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - limit: bytes that the file may have. Default: 16 KiB.
  public init(path: String, limit: Int = standardLimit) {
    self.path = path
    self.limit = limit
  }

  /// The whole text; empty when there is no file.
  /// - Throws: `MemoryError` when the file cannot be read or is no text.
  public func notes() throws(MemoryError) -> String { try read().trimmingBlanks() }

  /// Adds a note at the end.
  /// - Returns: false when there is such a note already; nothing changes then.
  /// - Throws: `MemoryError` when the note is empty, when it would not fit (`.full`), or when the file cannot be changed;
  ///   `CancellationError`.
  @discardableResult
  public func remember(_ note: String) async throws -> Bool {
    let note = MemoryNotes.cleaned(note)
    guard !note.isEmpty else { throw MemoryError(code: .empty, message: "there is nothing in the note") }
    guard note.utf8.count <= Self.noteLimit else {
      throw MemoryError(
        code: .full,
        message: "the note has \(note.utf8.count) bytes, and one may have \(Self.noteLimit): say it more briefly")
    }
    return try await changing { notes throws(MemoryError) in
      let key = MemoryNotes.key(note)
      if notes.notes.contains(where: { MemoryNotes.key($0.text) == key }) { return false }
      let size = notes.text.utf8.count
      notes.append(note)
      guard notes.text.utf8.count <= limit else {
        throw MemoryError(
          code: .full,
          message:
            "the memory is full: it has \(size) of \(limit) bytes and the note needs \(notes.text.utf8.count - size); "
            + "forget what is out of date or join notes first")
      }
      return true
    }
  }

  /// The notes that have any of some words, best first; all of them, the latest first, for an empty text.
  /// - Throws: `MemoryError` when the file cannot be read.
  public func recall(_ query: String) throws(MemoryError) -> [String] { MemoryNotes(try read()).matching(query) }

  /// Takes a note away: the one with this text, else the only one that contains it. Case does not count.
  /// - Returns: the note.
  /// - Throws: `MemoryError` with `.notFound` when none or more than one is meant, or when the file cannot be changed;
  ///   `CancellationError`.
  @discardableResult
  public func forget(_ text: String) async throws -> String {
    let key = MemoryNotes.key(MemoryNotes.cleaned(text))
    guard !key.isEmpty else { throw MemoryError(code: .empty, message: "it does not say which note to forget") }
    return try await changing { notes throws(MemoryError) in
      let all = notes.notes.map { (note: $0, key: MemoryNotes.key($0.text)) }
      var meant = all.filter { $0.key == key }
      if meant.isEmpty { meant = all.filter { $0.key.contains(key) } }
      guard let found = meant.first else {
        throw MemoryError(code: .notFound, message: "no note says that; recall shows the notes")
      }
      guard meant.count == 1 || meant.allSatisfy({ $0.key == found.key }) else {
        throw MemoryError(
          code: .notFound, message: "\(meant.count) notes say that; give the whole text of the one to forget")
      }
      notes.remove(found.note)
      return found.note.text
    }
  }

  // MARK: - The file

  /// - Parameter isWhole: whether all of it is needed, since it will be written again.
  private func read(isWhole: Bool = false) throws(MemoryError) -> String {
    var bytes: [UInt8]
    let size: Int
    do {
      guard StorageFile.exists(path) else { return "" }
      let file = try StorageFile(path)
      size = try file.size
      bytes = try file.read(0..<min(size, Self.readLimit))
    } catch {
      if error.isMissing { return "" }
      throw MemoryError(code: .storage, message: "the memory \(path) cannot be read: \(error)", underlying: error)
    }
    if size > Self.readLimit {
      if isWhole {
        throw MemoryError(
          code: .full,
          message: "the memory \(path) has \(size >> 20) MiB, too much to be changed here: shorten it by hand")
      }
      // Not within a character.
      while let last = bytes.last, last & 0x80 != 0 { bytes.removeLast() }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MemoryError(code: .storage, message: "the memory \(path) is not text (UTF-8): repair it, or move it away")
    }
    return text
  }

  /// Changes the notes while no other process does. Blocks for the time of a small file's reading and writing.
  private func changing<Result>(
    _ change: (inout MemoryNotes) throws(MemoryError) -> Result
  ) async throws -> Result {
    do {
      // The file may be a link to where the user keeps it.
      let target = StorageFile.canonical(path) ?? path
      let directory = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
      if !directory.isEmpty { try StorageFile.makeDirectory(directory) }
      let lock = try StorageFile(target + ".lock", create: true)
      try await take(lock)
      return try withExtendedLifetime(lock) {
        let old = MemoryNotes(try read(isWhole: true))
        var new = old
        let result = try change(&new)
        try Task.checkCancellation()
        if new != old { try StorageFile.replace(target, with: Array(new.text.utf8)) }
        return result
      }
    } catch let error as StorageFile.Failure {
      throw MemoryError(code: .storage, message: "the memory \(path) cannot be written: \(error)", underlying: error)
    }
  }

  private func take(_ lock: StorageFile) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while try !lock.lock() {
      guard clock.now < deadline else {
        throw MemoryError(code: .busy, message: "another process is writing to the memory \(path): try again later")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
