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
    "sk-learn", "xoxo", "AKIA", "ghp_ is how they begin", "",
  ])
  func `what is no secret stays`(_ text: String) {
    #expect(Self.mask.mask(text) == text)
  }

  @Test func `random texts keep their length, and masking twice is masking once`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let parts =
      [
        "sk-", "ghp_", "Bearer ", "authorization", ": ", "\\", "u0073", "\"", "@", "://", "a:b", "eyJ", ".", "é", "\n",
        "n",
      ]
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
