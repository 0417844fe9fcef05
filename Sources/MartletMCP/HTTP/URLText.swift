#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Addresses as text.
enum URLText {
  /// An address that may be relative, seen from another.
  static func resolve(_ address: String, against base: String) -> String? {
    guard let base = URL(string: base) else { return nil }
    return URL(string: address, relativeTo: base)?.absoluteString
  }

  /// Scheme, host and port; nil for what is no web address.
  static func origin(_ address: String) -> String? { WebAddress(address)?.origin }
}
