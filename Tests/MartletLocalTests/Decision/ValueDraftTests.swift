import Testing

@testable import MartletLocal

@Suite struct ValueDraftTests {
  static let said = "Book 12 seats from New York to San José on 3.5 or 1,250 days. Say \"hi\""

  @Test(arguments: [
    (#"="New"#, " York to San José on 3."),
    (#"="New Y"#, "ork to San José on 3.5"),
    (#"="from New York"#, " to San José on 3.5 or"),
    (#"="to San José on 3.5 or 1,250 days"#, "\""),
    (#"=["a", "San"#, " José on 3.5 or 1,250"),
    ("=1", "2"),
    ("=3", ".5"),
    ("=1,2", "50"),
    ("=[12, 3", ".5"),
  ])
  func `a text goes on as it was said`(text: String, rest: String) {
    #expect(ValueDraft(said: Self.said, start: "=").rest(of: text) == rest)
  }

  @Test(arguments: [
    "", "=", #"=""#, #"="ork"#, #"="Paris"#, "=9", #"="hi"#,
  ])
  func `without an idea nothing is guessed`(text: String) {
    let rest = ValueDraft(said: "Go to New York, say \"hi\" twice", start: "=").rest(of: text)
    #expect(rest == nil || text == #"="hi"# && rest == "\"")
  }

  @Test func `a number that was said is tried first`() {
    let draft = ValueDraft(said: "a base of 10 units and 5", numbers: ["10", "5"], start: "=")
    #expect(draft.rest(of: "=") == "10")
    #expect(draft.rest(of: "") == "10")
    #expect(draft.rest(of: "=1") == "0")
    let scaled = ValueDraft(said: "2 million", numbers: ["2000000"], start: "=")
    #expect(scaled.rest(of: "=200") == "0000")
  }

  @Test func `of choices the only one that is left is guessed`() {
    let draft = ValueDraft(said: "metric", choices: [#""metric""#, #""mild""#, #""imperial""#], start: "=")
    #expect(draft.rest(of: "=") == nil)
    #expect(draft.rest(of: #"="m"#) == nil)
    #expect(draft.rest(of: #"="me"#) == #"tric""#)
    #expect(draft.rest(of: #"="imperial""#) == nil)
    #expect(draft.rest(of: "=7") == nil)
  }

  @Test func `a value whose beginning is written goes on from it`() {
    let draft = ValueDraft(said: Self.said, start: "=").after("\"New")
    #expect(draft.rest(of: "") == " York to San José on 3.")
    #expect(draft.rest(of: " Yo") == "rk to San José on 3.5")
  }

  @Test func `any text gets whole characters or nothing`() {
    for seed in UInt64(1)...2_000 {
      var random = SplitMix64(state: seed)
      func some() -> String {
        String(
          (0..<Int.random(in: 0...30, using: &random)).map { _ in "ab1., \"\\=[é日😀".randomElement(using: &random) ?? "a"
          })
      }
      let draft = ValueDraft(
        said: some(), choices: Bool.random(using: &random) ? [] : [some()], numbers: ["1"], start: "=")
      if let rest = draft.rest(of: some()) { #expect(!rest.isEmpty && rest.utf8.count <= 96, "seed \(seed)") }
    }
  }
}
