#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A private key that signs with ES256: ECDSA on the curve P-256 over SHA-256 (RFC 7518, 3.4).
///
/// OpenSSL signs on Linux, CryptoKit on Apple platforms. Printing a key shows nothing of it.
public struct ES256PrivateKey: Sendable {
  #if canImport(CryptoKit)
    private let key: P256.Signing.PrivateKey
  #else
    private let key: P256KeyReference
  #endif

  /// A new key.
  public init() throws(CryptoError) {
    #if canImport(CryptoKit)
      key = P256.Signing.PrivateKey()
    #else
      CryptoLibrary.require()
      guard let made = ccrypto_p256_generate() else { throw CryptoError(.signing, "OpenSSL cannot make a key.") }
      key = P256KeyReference(made)
    #endif
  }

  /// A key in PEM, as PKCS#8 (`BEGIN PRIVATE KEY`) or SEC 1 (`BEGIN EC PRIVATE KEY`), without a password.
  /// - Throws: ``CryptoError/Code/invalidKey`` for anything else, other curves and other algorithms among it.
  public init(pem: String) throws(CryptoError) {
    let reason = "This is no private key on the curve P-256 in PEM without a password."
    #if canImport(CryptoKit)
      do {
        key = try P256.Signing.PrivateKey(pemRepresentation: pem)
      } catch {
        throw CryptoError(.invalidKey, reason, underlying: error)
      }
    #else
      CryptoLibrary.require()
      let bytes = Array(pem.utf8)
      guard let made = ccrypto_p256_private(bytes, bytes.count) else { throw CryptoError(.invalidKey, reason) }
      key = P256KeyReference(made)
    #endif
  }

  /// The key in PEM, as PKCS#8. A secret: it belongs in a file or a keychain that is the user's alone.
  public var pem: String {
    get throws(CryptoError) {
      #if canImport(CryptoKit)
        return key.pemRepresentation
      #else
        var text = [CChar](repeating: 0, count: 1024)
        let count = ccrypto_p256_pem(key.reference, &text, text.count)
        guard count > 0 else { throw CryptoError(.invalidKey, "The key cannot be written as PEM.") }
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #endif
    }
  }

  /// The key that checks this one's signatures.
  public var publicKey: ES256PublicKey {
    get throws(CryptoError) {
      #if canImport(CryptoKit)
        return ES256PublicKey(key.publicKey)
      #else
        var point = [UInt8](repeating: 0, count: 65)
        guard ccrypto_p256_point(key.reference, &point) == 1 else {
          throw CryptoError(.invalidKey, "The key has no public half.")
        }
        return try ES256PublicKey(point: point)
      #endif
    }
  }

  /// The signature of a message: 64 bytes, r and then s. It differs each time.
  public func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
    #if canImport(CryptoKit)
      do {
        return Array(try key.signature(for: message).rawRepresentation)
      } catch {
        throw CryptoError(.signing, "The message cannot be signed.", underlying: error)
      }
    #else
      var signature = [UInt8](repeating: 0, count: 64)
      guard ccrypto_p256_sign(key.reference, message, message.count, &signature) == 1 else {
        throw CryptoError(.signing, "OpenSSL cannot sign the message.")
      }
      return signature
    #endif
  }
}

extension ES256PrivateKey: CustomStringConvertible, CustomReflectable {
  public var description: String { "ES256PrivateKey" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
