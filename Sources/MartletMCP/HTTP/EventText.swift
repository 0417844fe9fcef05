import MartletJSON

/// Server-sent events as text.
enum EventText {
  /// An event that holds a message, which has no line breaks.
  static func event(_ message: MCPMessage, id: String? = nil) -> [UInt8] {
    var bytes = Array((id.map { "id: \($0)\n" } ?? "").utf8)
    bytes += Array("event: message\ndata: ".utf8)
    bytes += message.bytes
    bytes += [0x0A, 0x0A]
    return bytes
  }

  /// An event that only tells where to take up the stream again, and after how long.
  static func priming(id: String, retry: Duration?) -> [UInt8] {
    let delay = retry.map { "retry: \($0.wholeMilliseconds)\n" } ?? ""
    return Array("id: \(id)\n\(delay)data: \n\n".utf8)
  }

  static let comment = Array(": keep-alive\n\n".utf8)
}
