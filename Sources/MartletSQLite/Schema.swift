#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The tables of the database and how an older file becomes a newer one. The number of steps that a file has taken is its
/// `user_version`.
///
/// A record's id is its session's number times 2³² plus its own: the records of a session lie beside one another, and a page
/// of a log is a range of one tree. The index of words holds no text: what was indexed follows from the record.
enum Schema {
  /// "MRTL": says that a file is one of ours.
  static let applicationId = 0x4D52_544C

  static let steps = [
    """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      name TEXT,                                  -- NULL once deleted, where forks still share its records
      title TEXT,
      parent INTEGER REFERENCES session (id),     -- the session that a fork shares records with
      shared INTEGER NOT NULL DEFAULT 0,          -- and the last one of these
      last_seq INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL DEFAULT 0,      -- milliseconds since 1970
      updated_at INTEGER NOT NULL DEFAULT 0,
      generation INTEGER NOT NULL DEFAULT 0,
      holder TEXT,
      UNIQUE (owner, name)
    ) STRICT;
    CREATE INDEX session_changed ON session (owner, updated_at);
    CREATE INDEX session_parent ON session (parent) WHERE parent IS NOT NULL;
    CREATE TABLE record (id INTEGER PRIMARY KEY, payload TEXT NOT NULL) STRICT;
    CREATE TABLE large (
      id INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
      hash INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX large_hash ON large (session, hash);
    CREATE TABLE kept (
      session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (session, name)
    ) STRICT;
    CREATE VIRTUAL TABLE word USING fts5 (text, content = '', tokenize = 'ascii');
    """
  ]

  /// Sets the connection up and takes the steps that are missing.
  static func prepare(_ database: SQLiteDatabase) throws {
    let version = try version(of: database)
    try setUp(database)
    guard version < steps.count else {
      guard version == steps.count else {
        throw SQLiteFailure(code: 1, message: "it was made by a newer version: update martlet to use it")
      }
      return
    }
    try database.transaction {
      // Somebody else may have taken them meanwhile.
      for step in steps.dropFirst(try Self.version(of: database)) { try database.execute(step) }
      try database.execute("PRAGMA user_version = \(steps.count); PRAGMA application_id = \(applicationId)")
    }
  }

  private static func setUp(_ database: SQLiteDatabase) throws {
    let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"
    // While another process makes the database, SQLite does not wait by itself for the change of journal.
    var tries = 0
    while try !database.executeUnlessBusy(pragmas) {
      tries += 1
      if tries == 250 { return try database.execute(pragmas) }
      usleep(20_000)
    }
  }

  private static func version(of database: SQLiteDatabase) throws -> Int {
    let version = try database.first("PRAGMA user_version") { $0.int(0) } ?? 0
    let tables = try database.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } ?? 0
    let application = try database.first("PRAGMA application_id") { $0.int(0) } ?? 0
    guard tables == 0 || application == applicationId else {
      throw SQLiteFailure(code: 1, message: "it is a database of another program: use another path")
    }
    return version
  }
}
