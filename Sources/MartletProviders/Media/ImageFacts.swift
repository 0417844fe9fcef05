/// What the bytes of an image tell: its type, whatever it is said to be, and its size where that stands in front.
struct ImageFacts: Sendable, Hashable {
  var type: String
  var width: Int?
  var height: Int?

  /// Pixels of the longer side.
  var longestSide: Int? { width.flatMap { width in height.map { max(width, $0) } } }

  /// Nil for what is no image that anybody takes.
  init?(base64: String) {
    let start = Base64Text.bytes(base64, limit: 64)
    self.init(bytes: start)
    // The size of a JPEG stands behind what cameras and programs write into it.
    if type == "image/jpeg" {
      (width, height) = Self.jpegSize(Base64Text.bytes(base64, limit: 512 << 10)) ?? (nil, nil)
    }
  }

  private init?(bytes: [UInt8]) {
    func has(_ text: StaticString, at offset: Int = 0) -> Bool {
      guard bytes.count >= offset + text.utf8CodeUnitCount else { return false }
      return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
    func little(_ offset: Int, _ count: Int) -> Int? {
      guard bytes.count >= offset + count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      type = "image/png"
      if has("IHDR", at: 12) { (width, height) = (Self.big(bytes, 16, 4), Self.big(bytes, 20, 4)) }
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      type = "image/jpeg"
    } else if has("GIF8") {
      type = "image/gif"
      (width, height) = (little(6, 2), little(8, 2))
    } else if has("RIFF"), has("WEBP", at: 8) {
      type = "image/webp"
      if has("VP8X", at: 12) {
        (width, height) = (little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
      } else if has("VP8L", at: 12), let bits = little(21, 4) {
        (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      } else if has("VP8 ", at: 12) {
        (width, height) = (little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
      }
    } else if has("ftyp", at: 4), has("hei", at: 8) || has("hev", at: 8) || has("mif1", at: 8) || has("msf1", at: 8) {
      type = has("mif1", at: 8) || has("msf1", at: 8) ? "image/heif" : "image/heic"
    } else {
      return nil
    }
  }

  private static func big(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard bytes.count >= offset + count else { return nil }
    return (0..<count).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  /// The size in a JPEG's frame header (ITU-T T.81, B.2.2); nil when it is not among these bytes.
  private static func jpegSize(_ bytes: [UInt8]) -> (Int, Int)? {
    var position = 2
    while position + 9 < bytes.count {
      guard bytes[position] == 0xFF else { return nil }
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
      } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard let height = big(bytes, position + 5, 2), let width = big(bytes, position + 7, 2) else { return nil }
        return (width, height)
      } else if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
      } else {
        guard let length = big(bytes, position + 2, 2), length >= 2, marker != 0xDA else { return nil }
        position += 2 + length
      }
    }
    return nil
  }
}
