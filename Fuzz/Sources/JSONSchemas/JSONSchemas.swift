import MartletJSON

/// Compiles a schema and checks and mends a value by it. The two are separated by a NUL byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = UnsafeBufferPointer(start: start, count: count).split(separator: 0, maxSplits: 1)
  guard parts.count == 2, let document = try? JSONValue(parsing: parts[0]),
    let value = try? JSONValue(parsing: parts[1]), let schema = try? JSONSchema(document)
  else { return 0 }
  let violations = schema.validate(value)
  precondition(schema.isValid(value) == violations.isEmpty, "the two ways to check disagree")
  precondition(schema.validate(value) == violations, "checking twice gives two answers")
  let mended = schema.coerce(value)
  if violations.isEmpty { precondition(schema.isValid(mended), "mending broke a valid value") }
  return 0
}
