import MartletJSON
import Testing

@testable import MartletLocal

struct EvidenceTests {
  @Test(arguments: [
    ("get_current_weather", ["get", "current", "weather"]),
    ("currentDateTime", ["current", "date", "time"]),
    ("What's 3.5 kg?", ["what", "s", "3", "5", "kg"]),
    ("Größe ÜBER", ["größe", "über"]),
    ("", []),
  ]) func `words are runs of letters and digits, also within names`(_ text: String, _ words: [String]) {
    #expect(WordSet.words(text) == words)
  }

  @Test func `words of meaning share stems and leave out what questions always have`() {
    let question = WordSet("Could you please calculate the areas of these triangles?")
    #expect(question.shared(with: WordSet("triangle_area")) == 2)
    #expect(WordSet("What is the").isEmpty)
  }

  @Test(
    arguments: [
      ("Paris", 1.0), ("Paris, France", 0.5), ("Berlin", 0.0), (5000, 1.0), (0.05, 1.0), (7, 0.0), (2, 1.0),
      (3_000_000, 1.0), (["Paris", "Berlin"], 0.5),
    ] as [(JSONValue, Double)]) func `what was said is told from what was invented`(
      _ value: JSONValue, _ degree: Double
    )
  {
    let grounding = Grounding("Two people in PARIS put $5,000 at 5% into 3 million shares.")
    #expect(grounding.degree(value) == degree)
  }

  @Test func `truth values and nothing are not said in so many words`() {
    let grounding = Grounding("anything")
    for value in [true, nil, "", [], [:]] as [JSONValue] { #expect(grounding.degree(value) == nil) }
  }

  @Test func `the words that were said come without quotes and punctuation, once each`() {
    #expect(Grounding("How much is 23, \"twice\" (23)?").starts == ["How", "much", "is", "23", "twice"])
  }

  @Test func `a value ends at the first comma or bracket outside strings and lists`() {
    func length(_ text: String) -> Int? {
      var scanner = ValueScanner()
      return Array(text.utf8).firstIndex { scanner.ends(at: $0) }
    }
    #expect(length("12, b") == 2)
    #expect(length(#""a, \"b)" , c"#) == 10)
    #expect(length("[1, {\"a\": 2}])") == 13)
    #expect(length("{\"a\": \"}\"}}") == 10)
    #expect(length("[1, 2") == nil)
  }

  @Test(arguments: [
    "None", "True", #"{"a": [True, None], "True": "None \" False"}"#, "[1.5, \"\\\\\"]",
  ]) func `Python literals are read as JSON`(_ text: String) throws {
    let value = try CallSyntax.value(text, style: .python)
    #expect(CallSyntax.text(value, style: .python) == text)
  }

  @Test func `text that repeats itself is seen, and long plain text is not`() {
    #expect(ReplyPlace.isStuck(String(repeating: "stir-fry, ", count: 20).utf8))
    #expect(ReplyPlace.isStuck(("\"1" + String(repeating: "0", count: 100)).utf8))
    #expect(!ReplyPlace.isStuck((0..<40).map { "line \($0 * 7919)\n" }.joined().utf8))
    #expect(!ReplyPlace.isStuck("short short short".utf8))
  }

  @Test func `each piece of evidence counts in its direction`() {
    let rule = CallRule()
    var evidence = CallRule.Evidence(
      named: -8, namedWithout: -8, sharedWithName: 0, sharedWithDescription: 0, sharedWithAll: 0, nameWords: 2,
      questionWords: 4)
    let base = rule.logOdds(evidence)
    evidence.named = -5
    let named = rule.logOdds(evidence)
    evidence.sharedWithName = 1
    let shared = rule.logOdds(evidence)
    evidence.grounding = 1
    evidence.leastGrounding = 1
    #expect(base < named && named < shared && shared < rule.logOdds(evidence))
    #expect(
      rule.fit(evidence)
        > rule.fit(
          .init(
            named: -5, namedWithout: -2, sharedWithName: 1, sharedWithDescription: 0, sharedWithAll: 0, nameWords: 2,
            questionWords: 4)))
  }

  @Test func `said numbers take a word of size behind them along`() {
    let said = Grounding("8.5 million people, 3 thousand of 20,000 cars, 8.5 million again, 0.25 and 1.").saidNumbers
    #expect(said == ["8500000", "3000", "20000", "0.25", "1"])
  }

  @Test func `a list that goes round is seen`() {
    #expect(ReplyPlace.isStuck(String(repeating: "\"12345\", \"67890\", ", count: 9).utf8))
    #expect(!ReplyPlace.isStuck((0..<60).map { "\($0), " }.joined().utf8))
  }

  @Test(arguments: [
    ("[\"a, b\", \"c]\", \"a, b\", \"c]\", \"a", "[\"a, b\", \"c]\"]"), ("[1, [2, 3], [2, 3], 1, [2", "[1, [2, 3]]"),
    ("[100000000", nil), ("\"a\", \"a\", ", nil), ("[", nil), ("", nil),
    ("[{\"a\": \"\\\",\"}, {\"a", "[{\"a\": \"\\\",\"}]"),
  ])
  func `a list in which the model lost its way has each whole element once`(_ text: String, _ list: String?) {
    #expect(ValueScanner.listWithoutRepeats(text) == list)
  }
}
