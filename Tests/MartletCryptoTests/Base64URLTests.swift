import MartletCrypto
import Testing

@Suite struct Base64URLTests {
  /// The vectors of RFC 4648, section 10, without padding, and the one of RFC 7515, appendix C.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func `known texts`(_ text: String, _ encoded: String) {
    #expect(Base64URL.encode(text.utf8) == encoded)
    #expect(Base64URL.decode(encoded) == Array(text.utf8))
    #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
  }

  @Test func `any bytes come back`() {
    for length in 0..<70 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: ["A", "Zg==", "Zh", "Zm9=", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "é"])
  func `what no encoder writes is refused`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `comparing secrets`() {
    #expect(ConstantTime.areEqual("abc", "abc"))
    #expect(ConstantTime.areEqual("", ""))
    #expect(!ConstantTime.areEqual("abc", "abd"))
    #expect(!ConstantTime.areEqual("abc", "abcd"))
  }
}
