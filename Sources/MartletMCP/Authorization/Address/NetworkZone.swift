#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// From where a host can be reached, as far as its name tells: names are not resolved.
enum NetworkZone: Int, Comparable, Sendable {
  case anywhere, privateNetwork, thisMachine

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// `nil` for what is no host. An IPv6 address stands in brackets; letters are in lower case.
  init?(host: String) {
    if host.hasPrefix("["), host.hasSuffix("]") {
      guard let zone = Self.zone(ofIPv6: host.dropFirst().dropLast()) else { return nil }
      self = zone
      return
    }
    let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, host.utf8.count <= 253,
      labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isHostByte) })
    else { return nil }
    // A last label that is a number makes it an address (URL Standard, 3.5); all but the usual form are refused, since
    // resolvers take 127.1 and 0x7f000001 for this machine.
    if last.utf8.allSatisfy({ $0 &- 0x30 < 10 }) || last.hasPrefix("0x") {
      let bytes = labels.compactMap { label in String(UInt8(label) ?? 0) == label ? UInt8(label) : nil }
      guard labels.count == 4, bytes.count == 4 else { return nil }
      self = Self.zone(ofIPv4: bytes)
    } else if last == "localhost" {
      self = .thisMachine
    } else if labels.count == 1 || ["local", "internal", "lan", "home", "corp"].contains(last)
      || host.hasSuffix("home.arpa")
    {
      self = .privateNetwork
    } else {
      self = .anywhere
    }
  }

  /// The special-purpose addresses of RFC 6890.
  private static func zone(ofIPv4 bytes: some Collection<UInt8>) -> Self {
    let bytes = Array(bytes)
    switch (bytes[0], bytes[1]) {
    case (127, _), (0, _): return .thisMachine
    case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127), (198, 18...19), (224..., _):
      return .privateNetwork
    default: return .anywhere
    }
  }

  private static func zone(ofIPv6 text: Substring) -> Self? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &address) { Array($0) }
    let head = bytes[..<12]
    // IPv4 in IPv6: mapped (RFC 4291, 2.5.5.2) and translated (RFC 6052).
    if head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] || head == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
      return zone(ofIPv4: bytes[12...])
    }
    if bytes[..<15].allSatisfy({ $0 == 0 }) { return .thisMachine }
    // Unique local, link local, multicast.
    let isPrivate = bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 || bytes[0] == 0xFF
    return isPrivate ? .privateNetwork : .anywhere
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }
}
