import Martlet

/// Reads a recording from elsewhere, and masks it as a text: neither may end the program, and masking twice is masking once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let recording = try? Recording(parsing: bytes) { _ = Replay(recording) }
  let mask = SecretMask(secrets: ["a secret of its own"])
  let masked = mask.mask(String(decoding: bytes, as: UTF8.self))
  precondition(mask.mask(masked) == masked, "masking twice gives another text")
  return 0
}
