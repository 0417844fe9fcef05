import CSQLite

/// A connection to a database. To be used by one actor, which owns it.
final class SQLiteDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a database file, made if it is not there.
  init(_ path: String) throws(SQLiteFailure) {
    if let reason = csqlite_load() {
      throw SQLiteFailure(
        code: SQLITE_ERROR, message: "SQLite cannot be loaded (\(String(cString: reason))): install libsqlite3-0")
    }
    var opened: OpaquePointer?
    // One thread at a time by construction, so SQLite's own locks are not needed.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = csqlite_open(path, &opened, flags)
    guard let opened else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
    handle = opened
    guard code == SQLITE_OK else { throw failure }
    csqlite_busy_timeout(handle, 5_000)
  }

  deinit {
    for statement in statements.values { csqlite_finalize(statement) }
    csqlite_close(handle)
  }

  static var version: String? { csqlite_load() == nil ? String(cString: csqlite_version()) : nil }

  private var failure: SQLiteFailure {
    SQLiteFailure(
      code: csqlite_error_code(handle) & 0xFF, message: String(cString: csqlite_error_message(handle)),
      systemError: csqlite_system_error(handle))
  }

  /// Runs statements without values.
  func execute(_ sql: String) throws(SQLiteFailure) {
    guard csqlite_exec(handle, sql) == SQLITE_OK else { throw failure }
  }

  /// Runs statements without values; false when another process keeps the database busy.
  func executeUnlessBusy(_ sql: String) throws(SQLiteFailure) -> Bool {
    if csqlite_exec(handle, sql) == SQLITE_OK { return true }
    let failure = failure
    if failure.isBusy { return false }
    throw failure
  }

  /// Runs a statement; its text is the key that it is kept prepared under.
  func run(_ sql: String, _ values: [SQLiteValue] = []) throws {
    try query(sql, values) { _ in true }
  }

  /// Runs a query, giving each row to `body` until that says no.
  func query(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws -> Bool) throws {
    let statement = try prepared(sql)
    defer { csqlite_reset(statement) }
    for (index, value) in values.enumerated() {
      guard bind(value, to: Int32(index + 1), of: statement) == SQLITE_OK else { throw failure }
    }
    while true {
      switch csqlite_step(statement) {
      case SQLITE_ROW: if try !body(SQLiteRow(statement: statement)) { return }
      case SQLITE_DONE: return
      default: throw failure
      }
    }
  }

  /// The first row of a query.
  func first<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws -> Value
  ) throws -> Value? {
    var result: Value?
    try query(sql, values) { row in
      result = try read(row)
      return false
    }
    return result
  }

  var lastInsertedId: Int { Int(csqlite_last_insert_rowid(handle)) }

  /// Everything that `body` does, or nothing.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some failures have rolled back already, and then there is nothing to roll back: the first reason counts.
      _ = csqlite_exec(handle, "ROLLBACK")
      throw error
    }
  }

  private func prepared(_ sql: String) throws(SQLiteFailure) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    guard csqlite_prepare(handle, sql, &made) == SQLITE_OK, let made else { throw failure }
    statements[sql] = made
    return made
  }

  private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer) -> Int32 {
    switch value {
    case .null: return csqlite_bind_null(statement, index)
    case .int(let value): return csqlite_bind_int(statement, index, Int64(value))
    case .text(var text):
      return text.withUTF8 { utf8 in
        guard let base = utf8.baseAddress else { return csqlite_bind_text(statement, index, "", 0) }
        return base.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
          csqlite_bind_text(statement, index, $0, UInt64(utf8.count))
        }
      }
    case .utf8(let bytes):
      return bytes.withUnsafeBytes {
        csqlite_bind_text(statement, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64($0.count))
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
    }
  }
}
