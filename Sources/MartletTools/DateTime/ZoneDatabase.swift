#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time zones that the system knows.
struct ZoneDatabase: Sendable {
  /// Where systems keep the compiled files.
  static let system = ZoneDatabase(directories: [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
  ])

  private let directories: [String]

  init(directories: [String]) { self.directories = directories }

  var isAvailable: Bool { directories.contains { access($0, R_OK) == 0 } }

  /// The zone of an IANA identifier, spelled as the database spells it; nil if there is none.
  func zone(_ identifier: String) -> ZoneFile? {
    guard Self.isPlausible(identifier) else { return nil }
    for directory in directories {
      if let bytes = Self.contents(of: "\(directory)/\(identifier)"), let zone = try? ZoneFile(bytes) {
        return zone  // a damaged file is as good as none: the next directory may have a whole one
      }
    }
    return nil
  }

  /// The identifiers of the places of the world, as the database's own list names them.
  func identifiers() -> [String] {
    for directory in directories {
      // `tzdata.zi` has the links too, so it is worth its 100 KB; the .tab files are for systems without it.
      if let list = Self.contents(of: "\(directory)/tzdata.zi") { return Self.identifiers(compact: list) }
      for name in ["zone1970.tab", "zone.tab"] {
        if let list = Self.contents(of: "\(directory)/\(name)") { return Self.identifiers(table: list) }
      }
    }
    return []
  }

  private static func identifiers(compact list: [UInt8]) -> [String] {
    // "Z Asia/Tokyo 9:18:59 …" is a zone, "L Asia/Tokyo Japan" a link.
    list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      let isLink = line.first == UInt8(ascii: "L")
      guard isLink || line.first == UInt8(ascii: "Z"), fields.count > (isLink ? 2 : 1) else { return nil }
      return String(decoding: fields[isLink ? 2 : 1], as: UTF8.self)
    }
  }

  private static func identifiers(table list: [UInt8]) -> [String] {
    list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: "\t"))
      guard line.first != UInt8(ascii: "#"), fields.count > 2 else { return nil }
      return String(decoding: fields[2], as: UTF8.self)
    }
  }

  /// Identifiers name files below the database: nothing else may be opened by one.
  private static func isPlausible(_ identifier: String) -> Bool {
    identifier.utf8.count <= 64 && !identifier.isEmpty
      && identifier.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        part.first?.isLetter ?? false
          && part.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
              || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
          }
      }
  }

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes.append(contentsOf: chunk[..<count])
    }
    return nil
  }
}
