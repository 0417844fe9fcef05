#if !canImport(CryptoKit)
  import CCrypto

  /// Owns a key of OpenSSL, which nobody changes once it is made: threads may share it.
  final class P256KeyReference: @unchecked Sendable {
    let reference: OpaquePointer

    init(_ reference: OpaquePointer) { self.reference = reference }

    deinit { ccrypto_p256_free(reference) }
  }
#endif
