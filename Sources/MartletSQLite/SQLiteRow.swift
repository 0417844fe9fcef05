import CSQLite

/// A row of a result, valid until the next one is asked for. Columns count from 0.
struct SQLiteRow {
  let statement: OpaquePointer

  func int(_ column: Int32) -> Int { Int(csqlite_column_int(statement, column)) }

  func isNull(_ column: Int32) -> Bool { csqlite_column_is_null(statement, column) != 0 }

  func intIfPresent(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  func text(_ column: Int32) -> String? {
    isNull(column) ? nil : withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

  /// The bytes of a text or blob, valid inside `body`.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var count: Int32 = 0
    let bytes = csqlite_column_bytes(statement, column, &count)
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count)))
  }
}
