#if !canImport(CryptoKit)
  import CCrypto

  package enum CryptoLibrary {
    /// Why libcrypto cannot be used; nil when it can.
    package static var problem: String? { ccrypto_load().map { String(cString: $0) } }

    /// Loads libcrypto, the first time. Without it nothing can be verified, so the program ends: going on would be worse.
    static func require() {
      if let reason = ccrypto_load() {
        fatalError(
          "libcrypto cannot be used (\(String(cString: reason))); install OpenSSL 3, on Debian with: apt-get install libssl3"
        )
      }
    }
  }
#endif
