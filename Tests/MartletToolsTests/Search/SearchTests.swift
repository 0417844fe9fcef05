import Foundation
import Martlet
import MartletJSON
import Testing

@testable import MartletTools

@Suite struct LinePatternTests {
  private func matches(_ pattern: String, _ line: String) throws -> Bool {
    var matcher = LineMatcher(try LinePattern(pattern))
    return Array(line.utf8).withUnsafeBytes { matcher.firstMatchEnd(in: $0) != nil }
  }

  @Test(arguments: [
    ("abc", "xabcx", true), ("^abc$", "abc", true), ("^abc$", "abcd", false), ("a.c", "a漢c", true),
    ("a.c", "ac", false),
    ("colou?r", "color", true), ("(ab)+c", "ababc", true), ("[a-f0-9]{4}", "zz12ef", true), ("[^a-z]", "abc", false),
    ("\\bfoo\\b", "a foo b", true), ("\\bfoo\\b", "afoo", false), ("\\Boo", "foo", true), ("\\d+", "x42", true),
    ("-foo", "a -foo", true), ("é|ü", "über", true), ("(?i)HeLLo", "say hello", true), ("(?i)[a-c]X", "Bx", true),
    ("(?i)É", "café", true), ("foo(?=bar)", "foobar", true), ("foo(?!bar)", "foobar", false), ("\\p{Lu}", "aB", true),
    ("", "", true), ("", "x", true), ("$", "x", true), ("^$", "x", false), ("a|", "b", true), ("x*y", "y", true),
    ("func \\w+\\(", "func call(x)", true), ("[🐦🐤]", "🐤", true), ("a{2,3}b", "aab", true), ("a{4}", "aaa", false),
    ("[\\s\\S]", " ", true), ("(?:a|b)*c$", "abac", true), ("\\.swift", "x.swift", true), ("\\.swift", "xswift", false),
  ])
  func `lines match as ECMA-262 says`(pattern: String, line: String, expected: Bool) throws {
    #expect(try matches(pattern, line) == expected)
  }

  @Test(arguments: ["(", "a)", "[a", "*a", "a{2,1}", "\\1(a)", "(?i)(?=a)b", "(?P<x>a)"])
  func `what is no expression is refused`(pattern: String) {
    #expect(throws: LinePattern.Malformed.self) { try LinePattern(pattern) }
  }

  @Test(arguments: [
    ("hello", "hello", true), ("hel+o", "he", false), ("ab?c", "a", false), ("^hello", "hello", false),
    ("(foo)bar", "foobar", true),
    ("a|b", "", false), ("x+needle[0-9]", "needle", false), ("\\bword\\b", "word", false), ("(?i)abc", "", false),
    ("foo.*barbaz", "barbaz", false), ("é+x", "é", false), ("a{3}", "a", false), ("(?=abc)d", "d", false),
  ])
  func `the text that every match holds is found`(pattern: String, literal: String, isWhole: Bool) throws {
    let pattern = try LinePattern(pattern)
    #expect(String(decoding: pattern.literal, as: UTF8.self) == literal)
    #expect(pattern.isLiteral == isWhole)
  }

  @Test(arguments: 0..<400) func `the automaton over bytes agrees with the matcher over characters`(seed: UInt64) throws
  {
    var random = SeededRandom(seed)
    let atoms = [
      "a", "b", "é", "漢", ".", "[ab]", "[^a]", "\\w", "\\b", "^", "$", "(a|b)", "(ab|é)", "\\B", "[é-漢]", "\\d",
    ]
    let suffixes = ["", "", "", "*", "+", "?", "{2}", "{1,2}"]
    let zeroWidth: Set = ["\\b", "^", "$", "\\B"]
    let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let atom = atoms.randomElement(using: &random) ?? "a"
      return atom + (zeroWidth.contains(atom) ? "" : suffixes.randomElement(using: &random) ?? "")
    }.joined()
    let pattern = try LinePattern(text)
    var matcher = LineMatcher(pattern)
    try #require(pattern.program != nil)
    for _ in 0..<30 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        ["a", "b", "é", "漢", "1", " ", "_"].randomElement(using: &random) ?? "a"
      }.joined()
      let expected = pattern.general.matches(line)
      let bytes = Array(line.utf8)
      #expect(bytes.withUnsafeBytes { matcher.firstMatchEnd(in: $0) != nil } == expected, "\(text) on \"\(line)\"")
      // The required text never hides a match.
      if expected == true {
        #expect(bytes.isEmpty || bytes.withUnsafeBytes { matcher.firstCandidate(in: $0) } != nil, "\(text)")
      }
    }
  }

  @Test(
    .timeLimit(.minutes(5)), arguments: ["(a*)*b", "(a+)+$", "(a|aa)+$", "(.*a){12}", "^(([a-z])+.)+[A-Z]([a-z])+$"])
  func `no expression is slow on any line`(pattern: String) throws {
    _ = try matches(pattern, String(repeating: "a", count: 20_000) + "!")
  }

  @Test func `ranges become sequences of bytes that match just them`() {
    for (low, high) in [
      (0, 0x10FFFF), (0x7F, 0x80), (0x7FF, 0x800), (0xD7FF, 0xE000), (0xFFFF, 0x10000), (0xE9, 0x6F22),
      (0x3042, 0x3043), (0xD800, 0xDFFF),
    ] as [(UInt32, UInt32)] {
      let sequences = UTF8Sequences.sequences(of: low...high)
      for value in [
        0, 0x7F, 0x80, 0xE8, 0xE9, 0x7FF, 0x800, 0xD7FF, 0xE000, 0x3041, 0x3042, 0x3043, 0x3044, 0x6F22, 0x6F23, 0xFFFF,
        0x10000, 0x10FFFF,
      ] as [UInt32] {
        let bytes = UTF8Sequences.bytes(value)
        let found = sequences.count { $0.count == bytes.count && zip($0, bytes).allSatisfy { $0.contains($1) } }
        #expect(found == ((low...high).contains(value) ? 1 : 0), "\(value) in \(low)...\(high)")
      }
    }
  }
}

@Suite struct FileSearchTests {
  private func search(_ pattern: String, _ bytes: [UInt8], bufferSize: Int) throws -> (
    lines: [String], outcome: FileSearch.Outcome
  ) {
    let directory = try TestDirectory().file("f", bytes: bytes)
    let search = FileSearch(try LinePattern(pattern), cancellation: BlockingWork.Cancellation(), bufferSize: bufferSize)
    var lines: [String] = []
    let outcome = try search.run(try FileRoot(directory.path).openFile("f")) { number, line, _ in
      lines.append("\(number):\(line.count <= 40 ? String(decoding: line, as: UTF8.self) : "long")")
      return .next
    }
    return (lines, outcome)
  }

  @Test(arguments: 8...40) func `where the buffer ends changes nothing`(bufferSize: Int) throws {
    let text = "alpha\nbeta gamma\r\n\ndelta alpha\nthe last alpha"
    #expect(
      try search("alpha", Array(text.utf8), bufferSize: bufferSize).lines.map { $0.prefix(2) } == ["1:", "4:", "5:"])
    #expect(
      try search("a$", Array(text.utf8), bufferSize: 64).lines == [
        "1:alpha", "2:beta gamma", "4:delta alpha", "5:the last alpha",
      ])
  }

  @Test func `numbers of lines are right after any of them`() throws {
    let text = (1...3_000).map { $0 % 7 == 0 ? "needle \($0)" : "hay \($0)" }.joined(separator: "\n")
    for bufferSize in [64, 1_000, 65_536] {
      let lines = try search("needle", Array(text.utf8), bufferSize: bufferSize).lines
      #expect(lines == (1...3_000).filter { $0 % 7 == 0 }.map { "\($0):needle \($0)" })
    }
  }

  @Test func `a match across the pieces of a huge line is found once`() throws {
    var bytes = [UInt8](repeating: 120, count: 10_000)
    bytes.replaceSubrange(4_090..<4_100, with: Array("needle 123".utf8))
    for bufferSize in [512, 1_024, 4_095, 4_096, 4_097] {
      let (lines, _) = try search(
        "needle \\d+", Array("first\n".utf8) + bytes + Array("\nneedle 4\n".utf8), bufferSize: bufferSize)
      #expect(lines.map { $0.prefix(2) } == ["2:", "3:"], "\(bufferSize)")
    }
    #expect(try search("x$", [UInt8](repeating: 120, count: 5_000), bufferSize: 512).lines.count == 1)
    #expect(try search("^xx$", [UInt8](repeating: 120, count: 5_000), bufferSize: 512).lines.isEmpty)
  }

  @Test func `a byte order mark and an empty file are no obstacle`() throws {
    #expect(try search("^a", [0xEF, 0xBB, 0xBF, 0x61], bufferSize: 64).lines == ["1:a"])
    #expect(try search("", [], bufferSize: 64).lines.isEmpty)
    #expect(try search("^$", Array("\n\na\n".utf8), bufferSize: 64).lines == ["1:", "2:"])
  }

  @Test func `binary files are told`() throws {
    let (lines, outcome) = try search("a", [0x61, 0x0A, 0, 0x61], bufferSize: 64)
    #expect(lines.isEmpty)
    #expect({ if case .binary = outcome { true } else { false } }())
  }
}

@Suite struct GrepToolTests {
  @Test func `matches are given with path and line`() async throws {
    let directory = try TestDirectory().file("b.swift", "let x = 1\nfunc f() {}\n").file("a/c.txt", "func g\n").file(
      ".git/x", "func")
    let context = directory.context()
    let all = try await GrepTool().call(["pattern": "func"], context)
    #expect(all.lines == ["a/c.txt:1: func g", "b.swift:2: func f() {}"])
    #expect(all.structured == ["matches": 2, "files": 2, "complete": true])
    #expect(
      try await GrepTool().call(["pattern": "func", "include": "*.swift"], context).lines == ["b.swift:2: func f() {}"])
    #expect(
      try await GrepTool().call(["pattern": "func", "include": "a/*.{txt,md}"], context).lines == ["a/c.txt:1: func g"])
    #expect(
      try await GrepTool().call(["pattern": "func", "path": "a", "include": "*.txt"], context).lines == [
        "a/c.txt:1: func g"
      ])
    #expect(
      try await GrepTool().call(["pattern": "func", "path": "b.swift"], context).lines == ["b.swift:2: func f() {}"])
    #expect(try await GrepTool().call(["pattern": "-x|=", "path": ""], context).lines == ["b.swift:1: let x = 1"])
  }

  @Test func `finding nothing is no failure`() async throws {
    let directory = try TestDirectory().file("a", "x")
    let output = try await GrepTool().call(["pattern": "nowhere"], directory.context())
    #expect(output.text == "No matches")
    #expect(!output.isError)
  }

  @Test func `mistakes are told with what to do`() async throws {
    let directory = try TestDirectory().file("a", "x")
    for (arguments, code) in [
      (["pattern": "func("], "INVALID_ARGS"), (["pattern": "x", "path": "none"], "NOT_FOUND"),
      (["pattern": "x", "path": "../.."], "OUTSIDE_ROOT"), (["pattern": "x", "include": "../*"], "INVALID_ARGS"),
    ] as [(JSONValue, String)] {
      let output = try await GrepTool().call(arguments, directory.context())
      #expect(output.isError)
      #expect(output.code?.rawValue == code)
    }
    #expect(try await GrepTool().call(["pattern": "func("], directory.context()).text.contains("backslash"))
  }

  @Test func `what cannot be searched is counted`() async throws {
    let directory = try TestDirectory().file("bin", bytes: [0, 1]).file("text", "x").file("latin", bytes: [0x78, 0xE9])
    try #require(mkfifo("\(directory.path)/pipe", 0o600) == 0)
    try directory.link("out", to: "/etc/passwd")
    let output = try await GrepTool().call(["pattern": "x"], directory.context())
    #expect(output.lines == ["latin:1: x\u{FFFD}", "text:1: x", "[1 binary file was left out]"])
  }

  @Test func `output is bounded and long lines show the match`() async throws {
    let directory = try TestDirectory().file("many", String(repeating: "a needle in a line\n", count: 20_000))
      .file("long", String(repeating: "é", count: 5_000) + "needle" + String(repeating: "ü", count: 5_000))
    let many = try await GrepTool().call(["pattern": "needle", "path": "many"], directory.context())
    #expect(many.text.utf8.count <= 32 * 1_024)
    #expect(many.lines.last == "[more matches are not shown; use a narrower pattern, path or include]")
    let long = try await GrepTool().call(["pattern": "needle", "path": "long"], directory.context())
    #expect(long.text.hasPrefix("long:1: …é"))
    #expect(long.text.contains("éneedleü"))
    #expect(long.text.hasSuffix("ü…"))
    #expect(!long.text.contains("\u{FFFD}"))
    let small = try await GrepTool().call(["pattern": "needle", "path": "many"], directory.context(tokenLimit: 500))
    #expect(small.text.utf8.count <= 2_000)
  }

  @Test(.timeLimit(.minutes(5))) func `a search is cancelled on its way`() async throws {
    let directory = try TestDirectory()
    for index in 0..<40 { try directory.file("f\(index)", bytes: [UInt8](repeating: 97, count: 1_000_000)) }
    let task = Task { try await GrepTool().call(["pattern": "(?=b)b"], directory.context()) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
