import MartletTesting
import Testing

@testable import MartletCLI

@Suite struct `taking terminal control out of text` {
  static let cases: [(String, String)] = [
    ("plain text\n\twith tabs", "plain text\n\twith tabs"),
    ("red \u{1B}[31mtext\u{1B}[0m.", "red text."),
    ("title \u{1B}]0;owned\u{07}set", "title set"),
    ("link \u{1B}]8;;http://x\u{1B}\\here\u{1B}]8;;\u{1B}\\.", "link here."),
    ("clipboard \u{1B}]52;c;aGk=\u{07}.", "clipboard ."),
    ("reset \u{1B}c done", "reset  done"),
    ("charset \u{1B}(0x", "charset x"),
    ("C1 \u{9B}31mred\u{9D}0;t\u{9C}x", "C1 redx"),
    ("DCS \u{1B}P1$r\u{1B}\\end", "DCS end"),
    ("over\rwritten\u{08}\u{07}\u{0}\u{7F}", "overwritten"),
    ("bidi \u{202E}txt.exe\u{202C} \u{2066}x\u{2069}", "bidi txt.exe x"),
    ("unfinished \u{1B}]0;title\nnext line", "unfinished \nnext line"),
    ("cut \u{1B}[31\nnext", "cut \nnext"),
    ("string with an escape \u{1B}]0;a\u{1B}[31mred", "string with an escape red"),
    ("日本語 👩‍👩‍👧 é", "日本語 👩‍👩‍👧 é"),
  ]

  @Test(arguments: cases)
  func `sequences go, text stays`(_ text: String, _ expected: String) {
    var filter = ControlFilter()
    #expect(filter.filter(text) == expected)
  }

  @Test(arguments: cases)
  func `it does not matter where a text is cut`(_ text: String, _ expected: String) {
    let scalars = Array(text.unicodeScalars)
    for cut in 0...scalars.count {
      var filter = ControlFilter()
      var out = filter.filter(String(String.UnicodeScalarView(scalars[..<cut])))
      out += filter.filter(String(String.UnicodeScalarView(scalars[cut...])))
      #expect(out == expected)
    }
  }

  @Test func `nothing that a terminal obeys comes through`() {
    var generator = SeededGenerator(seed: 11)
    let alphabet: [UInt32] = [
      0x1B, 0x5B, 0x5D, 0x50, 0x9B, 0x9D, 0x07, 0x5C, 0x3B, 0x31, 0x6D, 0x41, 0x0A, 0x0D, 0x202E,
    ]
    for _ in 0..<2_000 {
      let scalars = (0..<20).compactMap { _ in Unicode.Scalar(alphabet.randomElement(using: &generator) ?? 0x41) }
      var filter = ControlFilter()
      let out = filter.filter(String(String.UnicodeScalarView(scalars)))
      #expect(out.unicodeScalars.allSatisfy { ($0.value >= 0x20 && $0.value < 0x7F) || $0.value == 0x0A })
    }
  }

  @Test func `a line has no line breaks`() {
    #expect(ControlFilter.line("a\nb\tc\u{1B}[2Jd") == "a b cd")
  }
}
