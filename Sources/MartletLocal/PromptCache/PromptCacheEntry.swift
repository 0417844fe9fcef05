import MartletCrypto

/// One file of a prompt cache: what it is about (`key`) and what was computed (`payload`).
///
/// The layout: `MARTPC1\n`, the SHA-256 of all that follows, the key's length (8 bytes, little-endian), the key, the payload.
/// Whoever made the file, it is used only if hash and whole key are right.
enum PromptCacheEntry {
  private static let magic = Array("MARTPC1\n".utf8)
  private static let headLength = magic.count + 32

  static func bytes(key: [UInt8], payload: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(8 + key.count + payload.count)
    withUnsafeBytes(of: UInt64(key.count).littleEndian) { body += $0 }
    body += key
    body += payload
    return magic + SHA256.hash(body).bytes + body
  }

  /// The payload, or `nil` for anything that is not a whole entry of this key.
  static func payload(of bytes: [UInt8], key: [UInt8]) -> ArraySlice<UInt8>? {
    guard bytes.count >= headLength + 8, bytes.starts(with: magic) else { return nil }
    var count: UInt64 = 0
    for index in 0..<8 { count |= UInt64(bytes[headLength + index]) << UInt64(8 * index) }
    let start = headLength + 8
    guard count == UInt64(key.count), bytes.count - start >= key.count,
      bytes[start..<start + key.count].elementsEqual(key)
    else { return nil }
    let hash = bytes.withUnsafeBytes { all in
      var hash = SHA256()
      hash.update(UnsafeRawBufferPointer(rebasing: all[headLength...]))
      return hash.finalize()
    }
    guard bytes[magic.count..<headLength].elementsEqual(hash.bytes) else { return nil }
    return bytes[(start + key.count)...]
  }

  /// The name of a key's file.
  static func name(of key: [UInt8]) -> String { String(SHA256.hash(key).hex.prefix(40)) + ".prompt" }
}
