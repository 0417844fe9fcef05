#if canImport(Darwin)
  import Foundation
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the machine is set to: the defaults of what tools are told.
///
/// Identifiers instead of Foundation's `Locale` and `TimeZone`, because those need ICU on Linux: it costs 10 ms of every
/// start, and in a program with a static standard library every zone but GMT is missing.
public enum HostSettings {
  /// The language and country, as "de_DE"; "en_US_POSIX" where none is set.
  public static var locale: String {
    #if canImport(Darwin)
      return Locale.current.identifier
    #else
      // The order in which POSIX lets them win.
      let name = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap(variable).first ?? "C"
      let plain = String(name.prefix { $0 != "." && $0 != "@" })
      return plain == "C" || plain == "POSIX" ? "en_US_POSIX" : plain
    #endif
  }

  /// The time zone, as "Europe/Oslo"; "UTC" where none is set. May be a POSIX rule ("JST-9") if the machine is set by one.
  public static var timeZone: String {
    #if canImport(Darwin)
      return TimeZone.current.identifier
    #else
      if let name = variable("TZ") {
        let name = name.hasPrefix(":") ? String(name.dropFirst()) : name
        return zone(ofFile: name) ?? name
      }
      return linkTarget("/etc/localtime").flatMap(zone(ofFile:)) ?? firstLine("/etc/timezone") ?? "UTC"
    #endif
  }

  #if !canImport(Darwin)
    private static func variable(_ name: String) -> String? {
      guard let value = getenv(name) else { return nil }
      let text = String(cString: value)
      return text.isEmpty ? nil : text
    }

    /// "/usr/share/zoneinfo/Asia/Tokyo" is Asia/Tokyo.
    private static func zone(ofFile path: String) -> String? {
      let parts = path.split(separator: "/")
      guard let start = parts.firstIndex(of: "zoneinfo"), start + 1 < parts.count else { return nil }
      return parts[(start + 1)...].joined(separator: "/")
    }

    private static func linkTarget(_ path: String) -> String? {
      var buffer = [CChar](repeating: 0, count: 4_096)
      let count = readlink(path, &buffer, buffer.count)
      return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func firstLine(_ path: String) -> String? {
      guard let file = fopen(path, "re") else { return nil }
      defer { fclose(file) }
      var buffer = [UInt8](repeating: 0, count: 256)
      let line = buffer[..<fread(&buffer, 1, buffer.count, file)].prefix { $0 > 0x20 }
      return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
  #endif
}
