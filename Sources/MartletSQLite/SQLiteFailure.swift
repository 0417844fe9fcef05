import CSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why SQLite could not do something.
struct SQLiteFailure: Error, CustomStringConvertible {
  /// SQLite's result code, without its extension.
  let code: Int32
  /// SQLite's words for it.
  let message: String
  /// The system's error number; 0 for none.
  var systemError: Int32 = 0

  var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// SQLite calls a full disk an error of the disk where it is met while a file grows.
  private var isFull: Bool {
    code == SQLITE_FULL || code == SQLITE_IOERR && (systemError == ENOSPC || systemError == EDQUOT)
  }

  /// The reason and what to do.
  var description: String {
    if isFull { return "there is no space left: make room and go on" }
    let system = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
    switch code {
    case SQLITE_READONLY: return "it may not be written\(system): change its permissions or use another store"
    case SQLITE_BUSY, SQLITE_LOCKED: return "another process has kept it busy for too long: try again"
    case SQLITE_CORRUPT:
      return "part of it is damaged (\(message)): keep a copy, and use another store for new sessions"
    case SQLITE_NOTADB: return "it is not a database: move it away, or use another store"
    case SQLITE_CANTOPEN: return "it cannot be opened\(system): check the path and its permissions"
    case SQLITE_IOERR: return "the disk failed\(system.isEmpty ? " (\(message))" : system)"
    default: return message + system
    }
  }
}
