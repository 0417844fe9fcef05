/// The 32 bytes of a SHA-256 hash or of an HMAC over it. Comparing two takes the same time wherever they differ.
public struct Digest: Sendable, Hashable, CustomStringConvertible {
  /// The hash, most significant byte first.
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads 64 hexadecimal digits of either case; `nil` for anything else.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8.compactMap { Self.value(ofHexDigit: $0) }
    guard digits.count == 64, hex.utf8.count == 64 else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// 64 hexadecimal digits in lower case.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  public var description: String { hex }

  public static func == (left: Self, right: Self) -> Bool { ConstantTime.areEqual(left.bytes, right.bytes) }

  private static func value(ofHexDigit digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
