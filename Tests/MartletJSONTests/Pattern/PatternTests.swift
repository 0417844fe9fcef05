import MartletJSON
import Testing

@Suite struct PatternTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let pattern: String
    let matching: [String]
    let failing: [String]
    var testDescription: String { pattern }
  }

  static let cases = [
    Case(pattern: "", matching: ["", "x"], failing: []),
    Case(pattern: "es", matching: ["expression", "es"], failing: ["e s", ""]),
    Case(pattern: "^a*$", matching: ["", "aaa"], failing: ["b", "ab"]),
    Case(pattern: "^(foo|ba[rz])+$", matching: ["foo", "barbaz", "foobaz"], failing: ["", "fo", "bat"]),
    Case(pattern: "^a{2,3}$", matching: ["aa", "aaa"], failing: ["a", "aaaa"]),
    Case(pattern: "^a{2,}?$", matching: ["aa", "aaaaa"], failing: ["a"]),
    Case(pattern: "^(ab){2}$", matching: ["abab"], failing: ["ab", "ababab"]),
    Case(pattern: "^x{0}y$", matching: ["y"], failing: ["xy"]),
    Case(pattern: "^.$", matching: ["é", "🦊", " "], failing: ["", "\n", "\u{2028}", "ab"]),
    Case(pattern: #"^\d\D\w\W\s\S$"#, matching: ["1x_- a"], failing: ["߀x_- a", "11_- a"]),
    Case(pattern: #"^\s$"#, matching: ["\u{FEFF}", "\u{2029}", "\u{00A0}"], failing: ["\u{180E}", "\u{200B}"]),
    Case(pattern: #"^\p{L}+$"#, matching: ["ñandú", "日本"], failing: ["a1", "-"]),
    Case(pattern: #"^[\p{Nd}\-]+$"#, matching: ["1-߀"], failing: ["a"]),
    Case(pattern: #"^[^\W_]+$"#, matching: ["aZ9"], failing: ["a_", "é"]),
    Case(pattern: #"^[a-c\]x-]+$"#, matching: ["ab]x-"], failing: ["d", "["]),
    Case(pattern: #"^[\w-.]+$"#, matching: ["a-b.c"], failing: ["a b"]),
    Case(pattern: #"^\x41\u0042\u{1F98A}\uD83E\uDD8A$"#, matching: ["AB🦊🦊"], failing: ["AB🦊"]),
    Case(pattern: #"^\t\n\v\f\r\0\cJ[\b]$"#, matching: ["\t\n\u{0B}\u{0C}\r\0\n\u{08}"], failing: [""]),
    Case(pattern: #"\bcat\b"#, matching: ["a cat.", "cat"], failing: ["concat", "cats"]),
    Case(pattern: #"\Bcat"#, matching: ["concat"], failing: ["cat", " cat"]),
    Case(pattern: "^(?=.*[0-9])(?=.*[a-z]).{4,}$", matching: ["abc1", "1bcd"], failing: ["abcd", "1234", "a1"]),
    Case(pattern: "^(?!foo)[a-z]+$", matching: ["bar", "fobar"], failing: ["foobar", "foo"]),
    Case(pattern: "^(?!.*(?:--|(?<=-)$)).+$", matching: ["a-b"], failing: ["a--b", "a-"]),
    Case(pattern: #"(?<=\$)\d+"#, matching: ["cost $12"], failing: ["cost 12"]),
    Case(pattern: #"(?<!\$)\b\d+"#, matching: ["cost 12"], failing: ["cost $12"]),
    Case(pattern: "^(?<year>[0-9]{4})-(?:0[1-9]|1[0-2])$", matching: ["2026-11"], failing: ["2026-13"]),
    Case(pattern: "^(a|)*$", matching: ["", "aa"], failing: ["b"]),
    Case(pattern: "^(a*)*b$", matching: ["b", "aab"], failing: ["aac"]),
    Case(pattern: "a|b|", matching: ["", "z"], failing: []),
    Case(pattern: "a{,2}", matching: ["a{,2}"], failing: ["aa"]),
    Case(pattern: "^{x}$", matching: ["{x}"], failing: ["x"]),
    Case(pattern: "$^", matching: [""], failing: ["a"]),
    Case(pattern: "[]", matching: [], failing: ["", "a"]),
    Case(pattern: "^[^]$", matching: ["a", "\n"], failing: ["", "ab"]),
  ]

  @Test(arguments: cases) func `a pattern matches what it should and nothing else`(_ sample: Case) throws {
    let pattern = try Pattern(sample.pattern)
    for text in sample.matching { #expect(pattern.matches(text) == true, "\(text) should match") }
    for text in sample.failing { #expect(pattern.matches(text) == false, "\(text) should not match") }
  }

  @Test(arguments: [
    ("a)", "there is a ) without its ("), ("(a", "this ( is never closed"), ("[a", "this [ is never closed"),
    ("*a", "nothing to repeat"), ("a**", "nothing to repeat"), ("^*", "an assertion cannot be repeated"),
    ("(?=a)+", "an assertion cannot be repeated"), ("a{3,2}", "the counts in { } are out of order"),
    ("[b-a]", "a range in [ ] is out of order"), (#"(a)\1"#, "backreferences are not supported"),
    (#"\k<a>"#, "backreferences are not supported"), (#"\a"#, #"\a means nothing here"#),
    (#"\"#, #"a \ must escape something"#), (#"\x4"#, "this escape needs 2 hexadecimal digits"),
    (#"\u{110000}"#, "no code point is that large"), ("(?i:a)", "this kind of (? group is not supported"),
    (#"\p{Script=Greek}"#, "the Unicode property Script=Greek is not supported"), (#"\c1"#, #"\c needs a letter"#),
    ("(?<a-b>c)", "a group name holds only letters, digits, _ and $"), ("(?<>c)", "a group name must end with >"),
    ("a{99999999}", "a repeat count is too large"), ("((a{1000}){1000}){1000}", "its repeat counts make it too large"),
    (String(repeating: "(", count: 5000), "groups are nested too deeply"),
  ]) func `a broken or unsupported pattern says what is wrong`(_ source: String, _ reason: String) {
    #expect { try Pattern(source) } throws: { ($0 as? PatternError)?.message == reason }
  }

  @Test(arguments: ["(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "(.*)*(.*)*x$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?=(a+)+$)b"])
  func `a malicious pattern takes linear time`(_ source: String) throws {
    // A backtracking matcher needs about 2^5000 steps here; this one fits in its budget of steps, or the result is nil.
    let pattern = try Pattern(source)
    #expect(pattern.matches(String(repeating: "a", count: 5000) + "!") == false)
  }

  @Test func `a huge pattern on a huge text gives up instead of hanging`() throws {
    let pattern = try Pattern("(?:(?:.?){100}){80}$!")
    #expect(pattern.matches(String(repeating: "a", count: 2_000), maximumSteps: 1_000_000) == nil)
  }
}
