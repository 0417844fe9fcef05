import MartletCrypto
import Testing

@Suite struct ES256Tests {
  /// The key of RFC 7515, A.3.1, and that it is wrapped in, by hand: SEC 1 (RFC 5915) in PKCS#8 (RFC 5208).
  static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
  static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
  static let d = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"

  static func point() throws -> [UInt8] {
    [4] + (try #require(Base64URL.decode(x))) + (try #require(Base64URL.decode(y)))
  }

  static func pem(_ der: [UInt8], _ label: String) -> String {
    var text = Base64URL.encode(der).map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }.joined()
    while text.count % 4 != 0 { text += "=" }
    let lines = stride(from: 0, to: text.count, by: 64).map { String(text.dropFirst($0).prefix(64)) }
    return "-----BEGIN \(label)-----\n" + lines.joined(separator: "\n") + "\n-----END \(label)-----\n"
  }

  static func sec1(named: Bool) throws -> [UInt8] {
    let curve: [UInt8] = named ? [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07] : []
    let content: [UInt8] =
      [0x02, 0x01, 0x01, 0x04, 0x20] + (try #require(Base64URL.decode(d))) + curve
      + [0xA1, 0x44, 0x03, 0x42, 0x00] + (try point())
    return [0x30, UInt8(content.count)] + content
  }

  static func pkcs8() throws -> [UInt8] {
    let inner = try sec1(named: false)
    let algorithm: [UInt8] = [
      0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03,
      0x01, 0x07,
    ]
    let content = [0x02, 0x01, 0x00] + algorithm + [0x04, UInt8(inner.count)] + inner
    return [0x30, 0x81, UInt8(content.count)] + content
  }

  static let signed = Array(
    ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
      + "fQ").utf8)

  @Test func `the example of RFC 7515, A.3`() throws {
    let key = try ES256PublicKey(point: Self.point())
    let signature = try #require(
      Base64URL.decode("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
    #expect(key.isValid(signature, for: Self.signed))
    #expect(key.coordinates.x == Self.x && key.coordinates.y == Self.y)
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!key.isValid(changed, for: Self.signed))
    }
    #expect(!key.isValid(signature, for: Self.signed.dropLast()))
    #expect(!key.isValid([], for: Self.signed))
    #expect(!key.isValid([UInt8](repeating: 0, count: 64), for: Self.signed))
    #expect(!key.isValid(signature + [0], for: Self.signed))
  }

  @Test func `keys are read from PKCS#8 and from SEC 1`() throws {
    for pem in [Self.pem(try Self.pkcs8(), "PRIVATE KEY"), Self.pem(try Self.sec1(named: true), "EC PRIVATE KEY")] {
      let key = try ES256PrivateKey(pem: pem)
      #expect(try key.publicKey.point == Self.point())
      let signature = try key.signature(for: Self.signed)
      #expect(signature.count == 64)
      #expect(try ES256PublicKey(point: Self.point()).isValid(signature, for: Self.signed))
    }
  }

  @Test func `a new key survives being written`() throws {
    let key = try ES256PrivateKey()
    let again = try ES256PrivateKey(pem: key.pem)
    for length in [0, 1, 31, 32, 33, 5_000] {
      let message = [UInt8](repeating: 7, count: length)
      #expect(try key.publicKey.isValid(again.signature(for: message), for: message))
    }
    #expect(try key.publicKey.point != ES256PrivateKey().publicKey.point)
    #expect("\(key)" == "ES256PrivateKey")
  }

  @Test func `signatures have their numbers in full length`() throws {
    // About one number in 256 begins with a zero byte, which DER leaves out.
    let key = try ES256PrivateKey()
    let publicKey = try key.publicKey
    for index in 0..<600 {
      let message = Array("message \(index)".utf8)
      #expect(publicKey.isValid(try key.signature(for: message), for: message))
    }
  }

  @Test func `what is no such key is refused`() throws {
    // Made for this test, and used nowhere: a key on another curve, and one with a password.
    let p384 = """
      -----BEGIN PRIVATE KEY-----
      MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDB990DaCpR4avGMDDXb
      /EcIXRbTQA/MAUUltdOPqv7OjdQDrtID29xCCPMeLNru8IehZANiAARU1JHJN3Ql
      zGiwSfx/H7AZObLT6KliEN/zhKNufxaxO4e2go23b3u/MtD3tgXrRhPfeESeGSud
      6u3Qa5AiRFS/aliAFEw17VF6WA3O5NeKuOciUrSdwoWQbwW3TD7IYKA=
      -----END PRIVATE KEY-----
      """
    let locked = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhA0gqEZ3vcOwICCAAw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKGLaR8ACcpFQEEUto9TqtIEgZAM
      3LVpXuPMS+dQ4M3rRx7dPz7odyEntlHEe5TK/aCp3vcxAHG8wLkNUc9C53vhFrlo
      OsvULUGy0VYz+W7P0CrtHMaZCW643q+ZoAgvtCM5ln+fQAQsqPQCCRjBP066c1Hd
      DX0IjU1SECpU3JSGq/+3OggMeSKDMh6L1AY5eAVCTGDvrEbPUQuIilYeIbo0KN0=
      -----END ENCRYPTED PRIVATE KEY-----
      """
    let whole = Self.pem(try Self.pkcs8(), "PRIVATE KEY")
    for pem in [
      "", "x", p384, locked, String(whole.dropLast(60)), whole.replacing("A", with: "B"),
      String(repeating: "A", count: 1 << 17),
    ] {
      #expect(throws: CryptoError.self) { try ES256PrivateKey(pem: pem) }
      #expect(throws: CryptoError.self) { try ES256PublicKey(pem: pem) }
    }
    #expect(throws: CryptoError.self) { try ES256PublicKey(point: [4] + [UInt8](repeating: 1, count: 64)) }
    #expect(throws: CryptoError.self) { try ES256PublicKey(point: []) }
  }

  @Test func `many threads sign with one key`() async throws {
    let key = try ES256PrivateKey()
    let publicKey = try key.publicKey
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let message = Array("\(index)".utf8)
          return publicKey.isValid(try key.signature(for: message), for: message)
        }
      }
      for try await valid in group { #expect(valid) }
    }
  }
}
