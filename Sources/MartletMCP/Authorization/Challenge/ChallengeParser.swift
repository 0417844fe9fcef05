/// Reads a `WWW-Authenticate` value: challenges separated by commas, whose parameters are separated by commas too.
struct ChallengeParser {
  /// Longer values are not read on: no server needs them.
  static let limit = 16 << 10

  private let bytes: [UInt8]
  private var position = 0

  static func parse(_ value: String) -> [AuthenticationChallenge] {
    var parser = ChallengeParser(bytes: Array(value.utf8.prefix(limit)))
    return parser.challenges()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func challenges() -> [AuthenticationChallenge] {
    var found: [AuthenticationChallenge] = []
    var scheme: String?
    var parameters: [(name: String, value: String)] = []
    func close() {
      if let scheme { found.append(AuthenticationChallenge(scheme: scheme, parameters: parameters)) }
      parameters = []
    }
    while position < bytes.count {
      skip { $0 == 0x2C || Self.isBlank($0) }
      let start = position
      let word = token()
      if word.isEmpty {
        // Not a token: go on behind the next comma.
        skip { $0 != 0x2C }
        continue
      }
      let end = position
      skip(Self.isBlank)
      if scheme != nil, take(0x3D) {
        if let value = parameterValue() { parameters.append((word.lowercased(), value)) }
      } else {
        close()
        scheme = word
        // Behind a scheme stands a parameter, a token68, or the next challenge.
        if position > end, position < bytes.count, bytes[position] != 0x2C, !isParameterAhead() {
          skip { $0 != 0x2C && !Self.isBlank($0) }
        }
      }
      if position == start { position += 1 }
    }
    close()
    return found
  }

  private func isParameterAhead() -> Bool {
    var ahead = self
    guard !ahead.token().isEmpty else { return false }
    ahead.skip(Self.isBlank)
    guard ahead.take(0x3D) else { return false }
    ahead.skip(Self.isBlank)
    // `abc=` and `abc==` are token68.
    return ahead.position < bytes.count && bytes[ahead.position] != 0x3D && bytes[ahead.position] != 0x2C
  }

  private mutating func parameterValue() -> String? {
    skip(Self.isBlank)
    guard take(0x22) else {
      let start = position
      // Lenient: URLs without quotes are common.
      skip { $0 != 0x2C && !Self.isBlank($0) }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var value: [UInt8] = []
    while position < bytes.count {
      var byte = bytes[position]
      position += 1
      if byte == 0x22 { return String(decoding: value, as: UTF8.self) }
      if byte == 0x5C, position < bytes.count {
        byte = bytes[position]
        position += 1
      }
      value.append(byte)
    }
    // No closing quote: half a value is none.
    return nil
  }

  private mutating func token() -> String {
    let start = position
    skip(Self.isTokenByte)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// RFC 9110, 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
