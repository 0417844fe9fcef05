import Martlet
import MartletSQLite

/// Where sessions are kept.
enum StoreChoice: Sendable, Hashable {
  case memory
  /// A database file.
  case sqlite(String)
  /// A directory with a file for each session.
  case file(String)

  /// The sessions of a user who does not say.
  static let standardName = "sessions.db"

  /// Opens the store; nil is the database in the data directory.
  static func open(_ choice: StoreChoice?, _ context: CommandContext) throws(CommandFailure) -> any SessionStore {
    let store: any SessionStore =
      switch choice {
      case nil: SQLiteSessionStore(path: try context.places.makeData() + "/" + standardName)
      case .memory: InMemorySessionStore()
      case .sqlite(let path): SQLiteSessionStore(path: context.places.path(path))
      case .file(let path): FileSessionStore(directory: context.places.path(path))
      }
    return context.wrapStore(store)
  }
}

extension ValueKind where Value == StoreChoice {
  static let store = Self(expected: "sqlite:PATH, file:DIR or memory:", completion: .choices(["memory:"])) { text in
    if text == "memory:" { return .memory }
    if text.hasPrefix("sqlite:"), text.count > 7 { return .sqlite(String(text.dropFirst(7))) }
    if text.hasPrefix("file:"), text.count > 5 { return .file(String(text.dropFirst(5))) }
    return nil
  }
}
