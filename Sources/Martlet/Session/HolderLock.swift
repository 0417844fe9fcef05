/// The lock of a session between processes: a file that the holder has locked, with the holder's name in it.
///
/// The system lets go of the lock when the holder's process ends, however it ends; so a holder that is alive keeps it, and
/// one that is gone never blocks anybody. Release removes the file: one that is left tells of a holder that is gone.
package final class HolderLock {
  package enum Attempt {
    case taken(HolderLock)
    case held(by: String)
  }

  /// Who had the lock and is gone without having given it back.
  package let previousHolder: String?
  private let file: StorageFile
  private let path: String

  private init(_ file: StorageFile, _ path: String, previousHolder: String?) {
    self.file = file
    self.path = path
    self.previousHolder = previousHolder
  }

  package static func take(_ path: String, holder: String) throws(StorageFile.Failure) -> Attempt {
    while true {
      let file = try StorageFile(path, create: true)
      guard try file.lock() else {
        let name = String(decoding: try file.read(0..<4_096), as: UTF8.self)
        return .held(by: name.isEmpty ? "another process" : name)
      }
      // Somebody may have released, and so removed, the file between our opening and locking it.
      guard file.isAt(path) else { continue }
      let previous = String(decoding: try file.read(0..<4_096), as: UTF8.self)
      try file.truncate(to: 0)
      try file.write(Array(holder.utf8), at: 0)
      return .taken(HolderLock(file, path, previousHolder: previous.isEmpty ? nil : previous))
    }
  }

  /// Gives the lock back. The file goes first: whoever opened it meanwhile sees that it is not there any more.
  package func release() {
    do { try StorageFile.remove(path) } catch {
      // It stays, and the next holder takes it for a lock whose holder is gone: nothing is lost by that.
    }
  }
}
