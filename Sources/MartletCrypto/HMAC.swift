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
      return Digest(
        Array(CryptoKit.HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))))
    #else
      CryptoLibrary.require()
      return Digest(
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
          guard let code = buffer.baseAddress,
            ccrypto_hmac_sha256(key, key.count, message, message.count, code) == 1
          else { preconditionFailure("OpenSSL cannot compute HMAC-SHA-256 here") }
          count = 32
        })
    #endif
  }
}
