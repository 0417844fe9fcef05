import Testing

@testable import MartletTools

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("*.swift", "a.swift", true), ("*.swift", "a/b.swift", false), ("**/*.swift", "b.swift", true),
    ("**/*.swift", "a/b/c.swift", true), ("a/**/z", "a/z", true), ("a/**/z", "a/b/c/z", true), ("a/**", "a/b/c", true),
    ("a/**", "b/c", false), ("**", "a/b", true), ("?.txt", "é.txt", true), ("?.txt", "ab.txt", false),
    ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]]x", "]x", true), ("[x", "[x", true),
    ("*.{ts,tsx}", "a.tsx", true), ("*.{ts,tsx}", "a.js", false), ("{a,b}/{c,d}", "b/c", true),
    ("{a,{b,c}}", "c", true),
    ("a{}b", "a{}b", true), ("a{b}c", "a{b}c", true), ("{a,b", "{a,b", true), ("\\*", "*", true), ("\\*", "x", false),
    ("\\{a,b\\}", "{a,b}", true), ("./a/./b", "a/b", true), ("a//b", "a/b", true), (".*", ".hidden", true),
    ("*", ".hidden", true), ("a*b*c", "aXbYc", true), ("a*b*c", "aXbY", false), ("**/a/**/b/**", "x/a/y/b/z", true),
    ("[a-]", "-", true), ("漢*", "漢字", true), ("**a", "ba", true),
  ])
  func `patterns match what shells match`(pattern: String, path: String, expected: Bool) throws {
    #expect(try GlobPattern(pattern).matches(path: path) == expected)
  }

  @Test(arguments: [
    "", "../x", "a/../b", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", String(repeating: "x", count: 1_001),
  ])
  func `what cannot be searched for is refused`(pattern: String) {
    #expect(throws: GlobPattern.Malformed.self) { try GlobPattern(pattern) }
  }

  @Test(.timeLimit(.minutes(5))) func `many stars do not make it slow`() throws {
    let name = try GlobPattern(String(repeating: "a*", count: 200) + "b")
    #expect(!name.matches(path: String(repeating: "a", count: 5_000)))
    let path = try GlobPattern(String(repeating: "**/a/", count: 100) + "b")
    #expect(!path.matches(path: String(repeating: "a/", count: 500) + "c"))
  }

  @Test(arguments: 0..<300) func `names match as a plain definition says`(seed: UInt64) throws {
    func matches(_ pattern: Substring, _ name: Substring) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      if first == "*" {
        return matches(pattern.dropFirst(), name) || (!name.isEmpty && matches(pattern, name.dropFirst()))
      }
      guard let letter = name.first else { return false }
      return (first == "?" || first == letter) && matches(pattern.dropFirst(), name.dropFirst())
    }
    var random = SeededRandom(seed)
    for _ in 0..<20 {
      let pattern = String(
        (0..<Int.random(in: 1...6, using: &random)).map { _ in "ab*?".randomElement(using: &random) ?? "a" })
      let name = String(
        (0..<Int.random(in: 1...6, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" })
      #expect(
        try NamePattern(pattern).matches(Array(name.unicodeScalars)) == matches(pattern[...], name[...]),
        "\(pattern) \(name)")
    }
  }

  @Test(arguments: 0..<50) func `no pattern crashes`(seed: UInt64) {
    var random = SeededRandom(seed)
    for _ in 0..<100 {
      let text = String(
        (0..<Int.random(in: 1...12, using: &random)).map { _ in "a*?[]{},!-^\\/.é".randomElement(using: &random) ?? "a"
        })
      if let pattern = try? GlobPattern(text) { _ = pattern.matches(path: "a/b/é") }  // any answer will do
    }
  }
}
