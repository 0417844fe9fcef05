import MartletCrypto

/// Versions of the C libraries this program runs with.
enum LinkedLibraries {
  static var crypto: String { "linked" }
  static var curl: String? { nil }
}
