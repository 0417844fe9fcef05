import MartletCrypto
import Testing

@Suite struct SHA256Tests {
  /// Examples of FIPS 180-4 (NIST, "SHA256.pdf") and the well-known hash of nothing.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `known texts have known hashes`(_ text: String, _ hex: String) {
    #expect(SHA256.hash(text.utf8).hex == hex)
    #expect(SHA256.hash(Array(text.utf8)) == Digest(hex: hex.uppercased()))
  }

  @Test func `pieces give the hash of the whole`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for cut in 0...bytes.count {
      var hash = SHA256()
      hash.update(bytes[..<cut])
      hash.update(bytes[cut...])
      #expect(hash.finalize() == SHA256.hash(bytes))
    }
  }

  @Test func `a copy goes on by itself, and so does a finalized hash`() {
    var hash = SHA256()
    hash.update("ab".utf8)
    var copy = hash
    copy.update("x".utf8)
    #expect(hash.finalize() == SHA256.hash("ab".utf8))
    hash.update("c".utf8)
    #expect(hash.finalize() == SHA256.hash("abc".utf8))
    #expect(copy.finalize() == SHA256.hash("abx".utf8))
  }

  @Test(arguments: ["", "ab", String(repeating: "g", count: 64), String(repeating: "0", count: 63) + "é"])
  func `what is not 64 hexadecimal digits is no digest`(_ text: String) {
    #expect(Digest(hex: text) == nil)
  }
}
