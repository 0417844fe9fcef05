import MartletJSON

/// Compiles a regular expression, as schemas have them, and searches a text. The two are separated by a line break.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = UnsafeBufferPointer(start: start, count: count).split(
    separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else { return 0 }
  let pattern = String(decoding: parts[0], as: UTF8.self)
  let text = String(decoding: parts[1], as: UTF8.self)
  guard let schema = try? JSONSchema(["pattern": .string(pattern)]) else { return 0 }
  let matches = schema.isValid(.string(text))
  precondition(schema.isValid(.string(text)) == matches, "searching twice gives two answers")
  // Whatever a pattern is, one of it and of the empty pattern matches.
  if let either = try? JSONSchema(["pattern": .string("(?:\(pattern))|")]) {
    precondition(either.isValid(.string(text)), "an alternative of nothing does not match")
  }
  return 0
}
