import CRawSQLite

/// SQLite without anything around it: what the store is measured against.
final class RawSQLite {
  struct Failure: Error { let message: String }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard
      sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK,
      let opened
    else { throw Failure(message: "\(path) cannot be opened") }
    handle = opened
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

  func prepare(_ sql: String) throws -> Statement {
    var made: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil) == SQLITE_OK, let made
    else {
      throw failure
    }
    return Statement(handle: made)
  }

  final class Statement {
    private let handle: OpaquePointer
    init(handle: OpaquePointer) { self.handle = handle }
    deinit { sqlite3_finalize(handle) }

    func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

    /// The bytes must stay until the statement ran.
    func bind(_ text: UnsafeRawBufferPointer, at index: Int32) {
      sqlite3_bind_text(handle, index, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
    }

    func run() throws {
      guard sqlite3_step(handle) == SQLITE_DONE else { throw Failure(message: "a statement failed") }
      sqlite3_reset(handle)
    }

    /// Gives the bytes of the column of each row.
    func rows(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) {
      while sqlite3_step(handle) == SQLITE_ROW {
        let text = sqlite3_column_text(handle, column)
        body(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))))
      }
      sqlite3_reset(handle)
    }
  }
}
