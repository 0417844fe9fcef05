import MartletCrypto

/// What a server's tool is called by a model: `server__tool`.
///
/// The server's name is always part of it, not only where two servers have a tool of one name: so a tool's name depends on
/// its server and nothing else, and stays the same whatever other servers there are, whether they are up, and in which order
/// they came. Permission rules and conversations that name it go on to hold.
///
/// Providers take 1 to 64 letters, digits, `_` and `-`. Names that do not fit are made to fit and end in a hash of what they
/// stand for, so that two never become one; the tool itself knows its server and its own name.
enum MCPToolName {
  static let limit = 64
  static let separator = "__"

  static func name(server: String, tool: String) -> String {
    let name = server + separator + tool
    // Where the first separator is, the server's name ends.
    let isSplit = !server.contains(separator) && !server.hasSuffix("_")
    if isPlain(server), isPlain(tool), isSplit, name.utf8.count <= limit { return name }
    let hash = SHA256.hash(Array("\(server)\u{0}\(tool)".utf8)).hex.prefix(8)
    return (plain(server).prefix(20) + separator + plain(tool)).prefix(limit - 9) + "-" + hash
  }

  /// What all names of a server's tools begin with.
  static func prefix(server: String) -> String {
    let isSplit = !server.contains(separator) && !server.hasSuffix("_")
    return (isPlain(server) && isSplit ? server : String(plain(server).prefix(20))) + separator
  }

  private static func isPlain(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isAllowed) }

  private static func plain(_ text: String) -> String {
    String(
      decoding: text.unicodeScalars.map { $0.isASCII && isAllowed(UInt8($0.value)) ? UInt8($0.value) : 0x5F },
      as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
