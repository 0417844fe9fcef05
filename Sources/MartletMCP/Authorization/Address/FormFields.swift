import MartletJSON

/// Names and values as forms and queries have them (`application/x-www-form-urlencoded`), in order.
struct FormFields: Sendable {
  private(set) var fields: [(name: String, value: String)] = []

  init() {}

  /// Reads a query; `nil` when an escape is broken.
  init?(_ query: some StringProtocol) {
    for field in query.split(separator: "&") {
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : "") else {
        return nil
      }
      fields.append((name, value))
    }
  }

  /// Adds a field; `nil` adds nothing.
  mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append((name, value)) }
  }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  var encoded: String {
    fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
  }

  /// Everything but the unreserved characters of RFC 3986 as escapes.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ text: some StringProtocol) -> String? {
    PercentEscapes.decoded(text.contains("+") ? String(text.map { $0 == "+" ? " " : $0 }) : String(text))
  }
}
