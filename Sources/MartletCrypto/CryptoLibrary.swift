#if !canImport(CryptoKit)
  import CCrypto

  enum CryptoLibrary {
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
