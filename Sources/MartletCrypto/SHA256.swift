#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// SHA-256 (FIPS 180-4) over bytes as they come. A value: a copy goes on by itself.
///
/// OpenSSL computes it on Linux, CryptoKit on Apple platforms.
public struct SHA256: Sendable {
  private var state: State

  /// A hash of nothing yet.
  public init() { state = State() }

  /// The hash of bytes that are all here.
  public static func hash(_ bytes: some Sequence<UInt8>) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Adds bytes to what is hashed.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// Adds bytes to what is hashed.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    #if !canImport(CryptoKit)
      if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
    #endif
    state.update(bytes)
  }

  /// The hash of everything so far. More may follow.
  public func finalize() -> Digest { state.finalize() }

  #if canImport(CryptoKit)
    private struct State {
      private var hash = CryptoKit.SHA256()
      mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }
      func finalize() -> Digest { Digest(Array(hash.finalize())) }
    }
  #else
    /// Owns an OpenSSL context. `SHA256` copies it before a change unless it is the only owner, so no two threads write.
    private final class State: @unchecked Sendable {
      private let hash: OpaquePointer

      init() {
        CryptoLibrary.require()
        hash = Self.require(ccrypto_sha256_new())
      }

      init(copying other: State) { hash = Self.require(ccrypto_sha256_copy(other.hash)) }

      deinit { ccrypto_sha256_free(hash) }

      func update(_ bytes: UnsafeRawBufferPointer) {
        Self.require(ccrypto_sha256_update(hash, bytes.baseAddress, bytes.count))
      }

      func finalize() -> Digest {
        let end = State(copying: self)
        return Digest(
          [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            Self.require(buffer.baseAddress.map { ccrypto_sha256_final(end.hash, $0) } ?? 0)
            count = 32
          })
      }

      /// These calls fail only when memory is used up or OpenSSL was configured without SHA-256.
      private static func require(_ result: Int32) {
        precondition(result == 1, "OpenSSL cannot compute SHA-256 here")
      }

      private static func require(_ hash: OpaquePointer?) -> OpaquePointer {
        guard let hash else { preconditionFailure("OpenSSL cannot compute SHA-256 here") }
        return hash
      }
    }
  #endif
}
