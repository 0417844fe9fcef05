import MartletHTTP

/// Reads a date, and what a server asks for with a header of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let date = HTTPDate(text) {
    // From 1970 to 9999, with a leap second and days that a month does not have.
    precondition((0...253_405_000_000).contains(date.secondsSince1970), "a date beyond its years")
  }
  for name in ["retry-after", "retry-after-ms", "x-should-retry"] {
    let failure = RetryFailure(status: 429, headers: [name: text])
    _ = failure.delay(now: 1_700_000_000)
  }
  return 0
}
