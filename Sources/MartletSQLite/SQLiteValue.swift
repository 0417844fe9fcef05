/// A value given to a statement.
enum SQLiteValue {
  case null
  case int(Int)
  case text(String)
  /// Text in UTF-8.
  case utf8([UInt8])
  case blob([UInt8])

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
