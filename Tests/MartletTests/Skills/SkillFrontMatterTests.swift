import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `The front matter of a skill` {
  struct Case: Sendable, CustomTestStringConvertible {
    var head: String
    var expected: JSONValue
    /// Lines that a problem names.
    var complaints: [Int] = []
    var testDescription: String { head.debugDescription }
  }

  static func matter(_ text: String) throws -> SkillFrontMatter { try SkillFrontMatter(text, path: "SKILL.md") }

  static let values: [Case] = [
    Case(head: "description: plain text", expected: "plain text"),
    Case(head: "description: Use when: x", expected: "Use when: x"),
    Case(head: "description: Use when: x\n  and: y", expected: "Use when: x and: y"),
    Case(head: "description:   spaces around  \t", expected: "spaces around"),
    Case(head: "description:", expected: ""),
    Case(head: "description: # nothing", expected: ""),
    Case(head: "description: text # a comment", expected: "text"),
    Case(head: "description: C# and a#b", expected: "C# and a#b"),
    Case(head: "description: fixes #12", expected: "fixes", complaints: [2]),
    Case(head: "description: one\n  two\n\n  three\n\n\n  four", expected: "one two\nthree\n\nfour"),
    Case(head: "description:\n  starts below\n  goes on", expected: "starts below goes on"),
    Case(head: "description: \"quoted: text # kept\"", expected: "quoted: text # kept"),
    Case(head: "description: \"a \\\"b\\\" \\n\\t\\\\ \\u00e9\\x41\\U0001F600\"", expected: "a \"b\" \n\t\\ éA😀"),
    Case(head: "description: \"first\n  second\n\n  third\"", expected: "first second\nthird"),
    Case(head: "description: \"one\\\n  word\"", expected: "oneword"),
    Case(head: "description: 'it''s \\n raw'", expected: "it's \\n raw"),
    Case(head: "description: 'two\n  lines' # comment", expected: "two lines"),
    Case(head: "description: \"Foo\" does bar", expected: "\"Foo\" does bar", complaints: [2]),
    Case(head: "description: \"never closed", expected: "never closed", complaints: [2]),
    Case(head: "description: it's \"fine\"", expected: "it's \"fine\""),
    Case(head: "description: |\n  one\n    two\n\n  three\n", expected: "one\n  two\n\nthree\n"),
    Case(head: "description: |-\n  one\n  two\n\n", expected: "one\ntwo"),
    Case(head: "description: |+\n  one\n\n\n", expected: "one\n\n\n\n"),
    Case(head: "description: >\n  one\n  two\n\n  three\n    four\n  five", expected: "one two\nthree\n  four\nfive\n"),
    Case(head: "description: >- # why\n  one\n  # no comment", expected: "one # no comment"),
    Case(head: "description: |2\n    indented\n  not", expected: "  indented\nnot\n"),
    Case(head: "description: > 5 items", expected: "> 5 items"),
    Case(head: "description: |x", expected: "|x"),
    Case(head: "description: [a, \"b, c\", 'd']", expected: ["a", "b, c", "d"]),
    Case(head: "description: [Bash(git add:*), Read]", expected: ["Bash(git add:*)", "Read"]),
    Case(head: "description: [a,\n  b,\n  ]", expected: ["a", "b"]),
    Case(head: "description: [not closed", expected: "[not closed"),
    Case(head: "description: [beta] does x", expected: "[beta] does x"),
    Case(head: "description: {a: 1, \"b\": [x]}", expected: ["a": "1", "b": ["x"]]),
    Case(head: "description:\n  - a\n  - \"b\"\n  - c: d # e\n", expected: ["a", "b", "c: d"]),
    Case(head: "description:\n- a\n- b", expected: ["a", "b"]),
    Case(head: "description:\n-\n- a", expected: ["", "a"]),
    Case(head: "description:\n-\n  - a\n  - b\n- c", expected: [["a", "b"], "c"]),
    Case(head: "description:\n-\n  a: b\n- # none\n-", expected: [["a": "b"], "", ""]),
    Case(head: "description:\n  author: me\n  version: \"1.0\"", expected: ["author": "me", "version": "1.0"]),
    Case(head: "description:\n  a:\n    b: c\n  d: e", expected: ["a": ["b": "c"], "d": "e"]),
    Case(head: "description: *bold* claims", expected: "*bold* claims", complaints: [2]),
    Case(head: "description: @mention", expected: "@mention", complaints: [2]),
    Case(head: "description: true", expected: "true"),
    Case(head: "description: 2026-11-30", expected: "2026-11-30"),
    Case(head: "description: https://example.com/a", expected: "https://example.com/a"),
    Case(head: "description:no space", expected: "no space", complaints: [2]),
    Case(head: "\"description\": quoted key", expected: "quoted key"),
    Case(head: "# comment\n\n  description: indented all", expected: "indented all"),
    Case(head: "other: x\ndescription: y\ndescription: z", expected: "y", complaints: [4]),
    Case(head: "prose without a key\ndescription: y", expected: "y", complaints: [2]),
    Case(head: "other: |\n  description: no\ndescription: yes", expected: "yes"),
    Case(head: "description: \ttabbed\n\tgoes on", expected: "tabbed goes on"),
  ]

  @Test(arguments: values) func `reads what files hold`(_ value: Case) throws {
    for text in [
      "---\n\(value.head)\n---\nBody", "---\r\n\(value.head.replacing("\n", with: "\r\n"))\r\n---\r\nBody\r\n",
      "\u{FEFF}--- \n\(value.head)\n...\n\n  Body  \n",
    ] {
      let matter = try Self.matter(text)
      #expect(matter.fields["description"] == value.expected, "\(matter.problems)")
      #expect(matter.problems.map(\.line) == value.complaints, "\(matter.problems)")
      #expect(matter.body == "Body")
    }
  }

  @Test func `rules of dashes in the body belong to the body`() throws {
    let matter = try Self.matter("---\nname: a\n---\n# Title\n\n---\n\nMore\n---\n")
    #expect(matter.body == "# Title\n\n---\n\nMore\n---")
    #expect(matter.fields.count == 1)
  }

  @Test func `each field knows its line`() throws {
    let matter = try Self.matter("\n\n---\nname: a\n# comment\ndescription: |\n  b\nlicense: c\n---\n")
    #expect(["name", "description", "license", "absent"].map(matter.line(of:)) == [4, 6, 8, 1])
  }

  @Test(arguments: [
    ("", 1), ("# Title\nText", 1), ("\n\nname: a\n---\n", 3), ("--\nname: a\n--\n", 1), ("---\nname: a\n", 1),
    ("---", 1), ("----\nname: a\n----\n", 1), (" ---\nname: a\n---\n", 1),
  ])
  func `a file without one says so, with the line`(_ text: String, _ line: Int) throws {
    let problem = #expect(throws: SkillProblem.self) { try Self.matter(text) }
    #expect(problem?.line == line)
    #expect(problem?.severity == .broken)
    #expect(problem?.message.contains("front matter") == true)
  }

  @Test func `a head without end costs time in proportion to its size`() throws {
    for line in ["a: [", "a: \"", "- [", "\n", "a:\n", "a: |", "x", "{", "  - -", "\"", "a: b\n\n"] {
      let text = "---\n" + String(repeating: line + "\n", count: 60_000 / (line.utf8.count + 1)) + "---\n"
      _ = try Self.matter(text)
    }
    #expect(throws: SkillProblem.self) {
      try Self.matter("---\n" + String(repeating: "a: b\n", count: 20_000) + "---\n")
    }
  }

  @Test func `a list goes no deeper than the lines are indented, and no deeper than the limit`() throws {
    let flat = try Self.matter("---\nmetadata:\n" + String(repeating: "-\n", count: 30_000) + "---\n")
    #expect(flat.fields["metadata"]?.arrayValue == Array(repeating: "", count: 30_000))
    for item in ["-", "a:"] {
      let lines = (1...300).map { String(repeating: " ", count: $0) + item }
      let deep = try Self.matter("---\nmetadata:\n" + lines.joined(separator: "\n") + "\n---\n")
      var depth = 0
      var value = deep.fields["metadata"]
      while let inner = value?[0] ?? value?["a"] {
        value = inner
        depth += 1
      }
      #expect((10...20).contains(depth))
    }
  }

  @Test func `line ends count for the limit of a head`() throws {
    #expect(throws: SkillProblem.self) {
      try Self.matter("---\nname: a\n" + String(repeating: "\n", count: 65_536) + "---\n")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `any text is read or refused, never more than it holds`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "---\n", "name: x\n", "description: ", "\"", "'", "|", ">", "[", "]", "{", "}", ",", ": ", ":", "#", " #", "- ",
      "\n",
      "\r\n", "  ", "\t", "\\", "\\u12", "é", "\u{2028}", "\u{FEFF}", "&a", "*a", "!!str ", "allowed-tools: ", "word",
      "\0",
    ]
    for _ in 0..<50 {
      var text = random.chance(0.8) ? "---\n" : ""
      for _ in 0..<Int.random(in: 0..<40, using: &random) { text += random.pick(parts) }
      if random.chance(0.8) { text += "\n---\nbody" }
      do {
        let matter = try Self.matter(text)
        let count = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).count
        #expect(matter.problems.allSatisfy { (1...count).contains($0.line) }, "seed \(seed) \(text.debugDescription)")
        #expect(matter.body.utf8.count <= text.utf8.count)
      } catch {
        #expect(error is SkillProblem)
      }
    }
  }
}
