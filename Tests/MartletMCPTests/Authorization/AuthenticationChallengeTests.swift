import MartletHTTP
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct AuthenticationChallengeTests {
  private func all(_ value: String...) -> [AuthenticationChallenge] {
    AuthenticationChallenge.all(in: HTTPHeaders(value.map { ("WWW-Authenticate", $0) }))
  }

  @Test func `parameters, quoted and not, in any order and case`() {
    let found = all(#"Bearer Resource_Metadata="https://a.example/x, y" ,scope=mcp:basic, error="in\"valid\\""#)
    #expect(found.count == 1)
    #expect(found[0].scheme == "Bearer")
    #expect(found[0]["resource_metadata"] == "https://a.example/x, y")
    #expect(found[0]["scope"] == "mcp:basic")
    #expect(found[0]["error"] == #"in"valid\"#)
  }

  @Test func `several challenges in one header and in several`() {
    let found = all(#"Basic realm="a, b", Negotiate, Bearer scope="x y", Digest abc=="#, "DPoP algs=\"ES256\"")
    #expect(found.map(\.scheme) == ["Basic", "Negotiate", "Bearer", "Digest", "DPoP"])
    #expect(found[2]["scope"] == "x y")
    #expect(found[3].parameters.isEmpty)
    #expect(found[4]["algs"] == "ES256")
  }

  @Test func `the challenge with metadata counts, whatever its scheme`() {
    let headers = HTTPHeaders([
      ("www-authenticate", #"Basic realm="x", Bearer error="invalid_token""#),
      ("www-authenticate", #"DPoP resource_metadata="https://a.example/m""#),
    ])
    #expect(AuthenticationChallenge.token(in: headers)?["resource_metadata"] == "https://a.example/m")
    #expect(AuthenticationChallenge.token(in: ["www-authenticate": "Basic realm=x"]) == nil)
    #expect(AuthenticationChallenge.token(in: [:]) == nil)
  }

  @Test func `what cannot be read is skipped, and half a value is none`() {
    #expect(all("").isEmpty)
    #expect(all(#"Bearer scope="never ends"#).first?["scope"] == nil)
    #expect(all(#"@@@, Bearer scope="x""#).map(\.scheme) == ["Bearer"])
    #expect(all("Bearer   ,  , ").map(\.scheme) == ["Bearer"])
  }

  @Test func `what is written is read again, whatever is in it`() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array(#"aZ09 ,="\;:/?&%éß"#)
    for _ in 0..<2_000 {
      let parameters = (0..<Int.random(in: 1...4, using: &generator)).map { index in
        let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in generator.pick(alphabet) }
        return (name: "p\(index)", value: String(text))
      }
      let challenge = AuthenticationChallenge(scheme: "Bearer", parameters: parameters)
      #expect(all(challenge.headerValue) == [challenge])
    }
  }

  @Test func `a header value cannot be broken out of`() {
    let challenge = AuthenticationChallenge(scheme: "Bearer", parameters: [("error", "a\r\nset-cookie: b\u{7F}\u{0}")])
    #expect(challenge.headerValue.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  /// Random bytes, mutations of real headers, and every prefix of them: none may crash or hang.
  @Test func `any bytes are read to an end`() {
    let seeds = [
      #"Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="files:read""#,
      #"Basic realm="a", charset="UTF-8", Digest username="Mufasa", Negotiate YII=, Bearer error=x"#,
    ]
    for seed in seeds { for count in 0...seed.utf8.count { _ = ChallengeParser.parse(String(seed.prefix(count))) } }
    let start: UInt64 = 0x0A11_CE00
    for round in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: start + round)
      var bytes = Array(generator.pick(seeds).utf8)
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(generator.pick(Array(#" ,="\"#.utf8)), at: index)
        }
      }
      for challenge in ChallengeParser.parse(String(decoding: bytes, as: UTF8.self)) {
        #expect(!challenge.scheme.isEmpty, "seed \(start + round)")
      }
    }
  }

  @Test func `a very long header is not read on`() {
    let long = "Bearer scope=\"" + String(repeating: "a", count: 1 << 20) + "\""
    #expect(all(long).first?["scope"] == nil)
  }
}
