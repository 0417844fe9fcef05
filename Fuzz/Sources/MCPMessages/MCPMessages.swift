import MartletMCP

/// Reads a stream of messages, whole and in pieces of the size that the first byte says, and what is read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let bytes = Array(input[1...])
  let limit = choice & 0x80 == 0 ? 1 << 20 : 16
  let size = max(1, Int(choice & 0x7F))
  let whole = MCPIncoming.all(in: [bytes], limit: limit)
  let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  precondition(whole == MCPIncoming.all(in: pieces, limit: limit), "other messages in pieces")
  for case .message(let message) in whole {
    precondition(!message.bytes.contains(0x0A), "a message of two lines")
    precondition(MCPIncoming(decoding: message.bytes) == .message(message), "another message the second time")
  }
  return 0
}
