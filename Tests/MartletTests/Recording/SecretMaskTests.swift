import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct SecretMaskTests {
  static let own = "own secret/of+this=process"
  static let mask = SecretMask(secrets: [own, "short"])

  /// What must not be readable of a text.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var secret: String
    var around: (String, String) = ("before ", " after")
    var testDescription: String { name }
    var text: String { around.0 + secret + around.1 }
  }

  static let cases: [Case] = [
    Case(name: "OpenAI", secret: "sk-proj-" + letters(40)),
    Case(name: "Anthropic", secret: "sk-ant-api03-" + letters(60)),
    Case(name: "Google", secret: "AIza" + letters(35)), Case(name: "GitHub", secret: "ghp_" + letters(36)),
    Case(name: "GitHub, fine", secret: "github_pat_" + letters(60)),
    Case(name: "AWS", secret: "AKIAIOSFODNN7EXAMPLE"), Case(name: "Slack", secret: "xoxb-2222222222-" + letters(20)),
    Case(name: "JWT", secret: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFU"),
    Case(name: "bearer", secret: "abc.def~12", around: ("Authorization: Bearer ", "\r\n")),
    Case(name: "bearer in JSON", secret: "abcdef", around: (#"{"authorization": "bearer "#, #""}"#)),
    Case(name: "a URL's password", secret: "hunter2", around: ("postgres://me:", "@db.example/x")),
    Case(
      name: "private key", secret: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
      around: ("-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----\n")),
    Case(name: "Stripe", secret: "sk_live_" + letters(24)), Case(name: "GitLab", secret: "glpat-" + letters(20)),
    Case(name: "npm", secret: "npm_" + letters(36)), Case(name: "PyPI", secret: "pypi-AgEIcHlwaS5vcmc" + letters(60)),
    Case(name: "SendGrid", secret: "SG." + letters(22) + "." + letters(43)),
    Case(name: "Vault", secret: "hvs." + letters(90)), Case(name: "Google OAuth", secret: "ya29." + letters(60)),
    Case(name: "Slack's address", secret: "hooks.slack.com/services/T0AB/B0CD/" + letters(24)),
    Case(name: "NVIDIA", secret: "nvapi-" + letters(64)), Case(name: "Databricks", secret: "dapi" + letters(32)),
    Case(
      name: "OpenPGP key", secret: "lQdGBGV1Zm8BEADKx",
      around: ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n", "\n-----END PGP PRIVATE KEY BLOCK-----\n")),
    Case(name: "environment", secret: "s3cr3tpw9", around: ("USER=me\nDB_PASSWORD=", "\nPORT=5432")),
    Case(name: "exported", secret: "wJalrXUtnFEMI/K7MDENG", around: ("export AWS_SECRET_ACCESS_KEY='", "'; ls")),
    Case(name: "JSON member", secret: "zz11yy22", around: (#"{"apiKey": ""#, #"", "n": 1}"#)),
    Case(
      name: "query", secret: "a1b2c3d4e5", around: ("GET https://x.example/a?page=2&access_token=", "&b=c HTTP/1.1")),
    Case(name: "YAML", secret: "hunter2hunter2", around: ("db:\n  passwd: ", "\n  port: 1")),
    Case(name: "header", secret: "0a1b2c3d4e5f", around: ("X-Api-Key: ", "\r\nHost: x")),
    Case(name: "own", secret: own), Case(name: "between signs", secret: "sk-" + letters(20), around: ("key=\"", "\";")),
  ]

  private static func letters(_ count: Int) -> String {
    String((0..<count).map { Array("aZ3bY7cX9dW1")[$0 % 12] })
  }

  @Test(arguments: cases)
  func `secrets are written over, and nothing else`(_ tested: Case) {
    let masked = Self.mask.mask(tested.text)
    #expect(!masked.contains(tested.secret))
    #expect(masked.hasPrefix(tested.around.0) && masked.hasSuffix(tested.around.1), "\(masked)")
    #expect(masked.utf8.count == tested.text.utf8.count)
    #expect(Self.mask.mask(masked) == masked)
  }

  @Test(arguments: cases)
  func `secrets behind JSON's escapes are written over`(_ tested: Case) throws {
    // Every letter escaped, once and twice.
    let once = tested.text.utf8.map { "\\u00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for text in [once, JSONValue.string(once).text()] {
      var plain = Self.mask.mask(text)
      for _ in 0..<2 where plain.contains("\\") { plain = try unescaped(plain) }
      #expect(!plain.contains(tested.secret), "\(plain)")
    }
    let value = JSONValue.object(["a": [.string(tested.text)]])
    #expect(Self.mask.mask(value).text() == Self.mask.mask(value.text()))
  }

  private func unescaped(_ text: String) throws -> String {
    let quoted =
      text.hasPrefix("\"") ? text : "\"" + text.replacing("\n", with: "\\n").replacing("\r", with: "\\r") + "\""
    return try JSONValue(parsing: quoted).stringValue ?? ""
  }

  @Test(arguments: cases)
  func `a secret is masked alike wherever the text is cut`(_ tested: Case) {
    let bytes = Array(tested.text.utf8)
    let whole = Self.mask.mask(bytes)
    for cut in 0...bytes.count {
      var stream = StreamMask(Self.mask)
      var edits: [SecretMask.Edit] = []
      var open = 0
      for piece in [bytes[..<cut], bytes[cut...]] {
        _ = stream.append(piece)
        let settled = stream.settle()
        edits += settled.edits
        // What is not open is as it stays.
        #expect(StreamMask.apply(edits, to: bytes[..<settled.open], at: 0) == Array(whole[..<settled.open]), "\(cut)")
        #expect(settled.open >= open)
        open = settled.open
      }
      stream.end()
      edits += stream.settle().edits
      #expect(StreamMask.apply(edits, to: bytes, at: 0) == whole, "\(cut)")
    }
  }

  @Test(arguments: [
    "A task-oriented dialogue, risk-averse.", "The bearer of good news", "basic training", "eyJust a word", "short",
    "https://example.com/a:b@c", "http://localhost:8080/",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "max_tokens: 40960000", "\"token\": \"hello\"", "password: required", "tokens=abc12345", "monkey = abc12345",
    "{\"token\":12345678e10,\"b\":\"abc12345\"}", "the secret: 1234 5678", "a=b1c2d3e4f5", "sk_live_x", "SG.x",
    "glpat-",
    "sk-learn", "xoxo", "AKIA", "ghp_ is how they begin", "",
  ])
  func `what is no secret stays`(_ text: String) {
    #expect(Self.mask.mask(text) == text)
  }

  @Test(arguments: 0..<8)
  func `a value is masked alike as a value, as its text and in pieces`(_ round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let parts = [
      "password", "apiKey", "token", "=", ": ", "\"", "'", " ", "\t", "\n", "\\", "/", "a1b2c3d4", "x", "é", "{", "}",
      "&", "sk-",
      "abc123XYZ789", "[",
    ]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0..<8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<300 {
      var object = JSONObject()
      for name in ["password", "x-api-key", "note", "a"] { object[name] = .string(text(&random)) }
      object["inner"] = .string(JSONValue.object(object).text())
      let value = JSONValue.object(object)
      let written = value.text()
      let masked = Self.mask.mask(written)
      #expect(masked == Self.mask.mask(value).text(), "seed \(seed): \(written)")
      let cut = Int.random(in: 0...written.utf8.count, using: &random)
      var stream = StreamMask(Self.mask)
      var edits: [SecretMask.Edit] = []
      for piece in [Array(written.utf8)[..<cut], Array(written.utf8)[cut...]] {
        _ = stream.append(piece)
        edits += stream.settle().edits
      }
      stream.end()
      edits += stream.settle().edits
      let whole = StreamMask.apply(edits, to: Array(written.utf8), at: 0)
      #expect(String(decoding: whole, as: UTF8.self) == masked, "seed \(seed), cut at \(cut): \(written)")
    }
  }

  @Test(arguments: 0...5)
  func `a value and its text are looked behind equally many escapes`(_ layers: Int) throws {
    // What only the escapes of the innermost text stand for.
    var value: JSONValue = ["api_key": .string(##"abc123XYZ789\\/token""##)]
    for _ in 0..<layers { value = ["inner": .string(value.text())] }
    #expect(Self.mask.mask(value).text() == Self.mask.mask(value.text()))
  }

  @Test func `random texts keep their length, and masking twice is masking once`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let parts =
      [
        "sk-", "ghp_", "Bearer ", "authorization", ": ", "\\", "u0073", "\"", "@", "://", "a:b", "eyJ", ".", "é", "\n",
        "n",
      ]
      + ["api_key", "PASSWORD", "=", " ", "'", "\\\"", "\\n", "a1b2c3d4", "/"]
      + ["-----BEGIN ", "PRIVATE KEY-----", "-----END ", "abc123XYZ", "0123456789ABCDEF"]
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<12, using: &random) { text += parts.randomElement(using: &random) ?? "" }
      let masked = Self.mask.mask(text)
      #expect(Self.mask.mask(masked) == masked, "seed \(seed): \(text)")
      #expect(masked.utf8.count <= text.utf8.count, "seed \(seed): \(text)")
    }
  }
}
