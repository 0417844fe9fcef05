#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Keyed message authentication (RFC 2104) with SHA-256.
public enum HMAC {
  /// The code of a message. Compare codes as ``Digest`` values: that takes constant time.
  public static func sha256(_ message: [UInt8], key: [UInt8]) -> Digest {
    #if canImport(CryptoKit)
      Digest(Array(CryptoKit.HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))))
    #else
      Digest(
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
          let result = CCrypto.HMAC(
            EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
          precondition(result != nil, "OpenSSL cannot compute HMAC-SHA-256 here")
          count = 32
        })
    #endif
  }
}
