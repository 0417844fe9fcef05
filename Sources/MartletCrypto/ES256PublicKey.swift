#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A public key that checks ES256 signatures (RFC 7518, 3.4).
public struct ES256PublicKey: Sendable {
  /// The point as SEC 1 writes it uncompressed: 4, then 32 bytes of x, then 32 bytes of y.
  public let point: [UInt8]
  #if canImport(CryptoKit)
    private let key: P256.Signing.PublicKey
  #else
    private let key: P256KeyReference
  #endif

  /// A key from its point (``point``).
  /// - Throws: ``CryptoError/Code/invalidKey`` for what is not on the curve.
  public init(point: [UInt8]) throws(CryptoError) {
    let reason = "These bytes are no point on the curve P-256."
    guard point.count == 65, point[0] == 4 else { throw CryptoError(.invalidKey, reason) }
    self.point = point
    #if canImport(CryptoKit)
      do {
        key = try P256.Signing.PublicKey(x963Representation: point)
      } catch {
        throw CryptoError(.invalidKey, reason, underlying: error)
      }
    #else
      CryptoLibrary.require()
      guard let made = ccrypto_p256_public(point) else { throw CryptoError(.invalidKey, reason) }
      key = P256KeyReference(made)
    #endif
  }

  /// A key in PEM (`BEGIN PUBLIC KEY`).
  public init(pem: String) throws(CryptoError) {
    let reason = "This is no public key on the curve P-256 in PEM."
    #if canImport(CryptoKit)
      do {
        self.init(try P256.Signing.PublicKey(pemRepresentation: pem))
      } catch {
        throw CryptoError(.invalidKey, reason, underlying: error)
      }
    #else
      CryptoLibrary.require()
      let bytes = Array(pem.utf8)
      guard let made = ccrypto_p256_public_pem(bytes, bytes.count) else { throw CryptoError(.invalidKey, reason) }
      key = P256KeyReference(made)
      var point = [UInt8](repeating: 0, count: 65)
      guard ccrypto_p256_point(made, &point) == 1 else { throw CryptoError(.invalidKey, reason) }
      self.point = point
    #endif
  }

  #if canImport(CryptoKit)
    init(_ key: P256.Signing.PublicKey) {
      self.key = key
      point = Array(key.x963Representation)
    }
  #endif

  /// The coordinates, base64url, as a JSON Web Key has them (RFC 7518, 6.2.1).
  public var coordinates: (x: String, y: String) {
    (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
  }

  /// Whether a signature (64 bytes, r and then s) is this key's over a message.
  public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard signature.count == 64 else { return false }
    #if canImport(CryptoKit)
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: message)
    #else
      return ccrypto_p256_verify(key.reference, message, message.count, signature) == 1
    #endif
  }
}
