import MartletJSON
import Testing

@Suite struct PartialJSONTests {
  /// What a reader made of a text, with everything that must not depend on how it came.
  enum Outcome: Equatable {
    case value(String)
    case error(JSONError)
  }

  static func whole(_ text: [UInt8], _ options: JSONReader.Options = .init()) -> Outcome {
    do throws(JSONError) {
      return .value(try JSONValue(parsing: text, options: options).text())
    } catch {
      return .error(error)
    }
  }

  /// Reads pieces and asks for the value after each, as a user interface would.
  static func pieces(
    _ pieces: some Sequence<ArraySlice<UInt8>>, _ options: JSONReader.Options = .init()
  ) -> Outcome {
    var partial = PartialJSON(options: options)
    var kept: [JSONValue?] = []
    do throws(JSONError) {
      for piece in pieces {
        try partial.append(piece)
        if kept.count < 3 { kept.append(partial.value) }
      }
      let value = try partial.finish()
      if partial.value != value || !partial.isComplete { return .value("value and finish() differ") }
      return .value(value.text())
    } catch {
      return .error(error)
    }
  }

  static let texts = Corpus.accepted.map(\.text) + Corpus.refused.map(\.text).filter { $0.count < 10_000 }
  static let choices = [
    JSONReader.Options(), JSONReader.Options(duplicateKeys: .first, loneSurrogates: .error),
    JSONReader.Options(maximumDepth: 2, duplicateKeys: .error, byteOrderMark: .error),
  ]

  @Test(arguments: choices) func `every split gives the reader's value or error`(_ options: JSONReader.Options) {
    for text in Self.texts {
      let expected = Self.whole(text, options)
      #expect(Self.pieces(text.indices.map { text[$0...$0] }, options) == expected, "\(text) byte by byte")
      for split in 0...min(text.count, 100) {
        #expect(Self.pieces([text[..<split], text[split...]], options) == expected, "\(text) split at \(split)")
      }
    }
  }

  @Test(arguments: choices) func `every split of random texts gives the same`(_ options: JSONReader.Options) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<1_500 {
      var text = Array(random.document().utf8)
      if Bool.random(using: &random) { text = random.mutate(text) }
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < text.count {
        let end = min(text.count, start + Int.random(in: 1...8, using: &random))
        pieces.append(text[start..<end])
        start = end
      }
      #expect(Self.pieces(pieces, options) == Self.whole(text, options), "seed \(seed): \(text)")
    }
  }

  @Test func `the value at each byte is what is known so far`() throws {
    let steps: [(String, JSONValue?)] = [
      (" ", nil), ("{", [:]), (#"""#, [:]), ("ci", [:]), (#"ty""#, [:]), (":", [:]), (#"""#, ["city": ""]),
      ("Os", ["city": "Os"]), ("\\", ["city": "Os"]), ("u00", ["city": "Os"]), ("e9", ["city": "Osé"]),
      (#"\ud83d"#, ["city": "Osé"]), (#"\ude00"#, ["city": "Osé😀"]), (#"","n":-1"#, ["city": "Osé😀"]),
      ("2", ["city": "Osé😀"]), (",", ["city": "Osé😀", "n": -12]), (#""l":["#, ["city": "Osé😀", "n": -12, "l": []]),
      ("tr", ["city": "Osé😀", "n": -12, "l": []]), ("ue", ["city": "Osé😀", "n": -12, "l": [true]]),
      (",{", ["city": "Osé😀", "n": -12, "l": [true, [:]]]), ("}]", ["city": "Osé😀", "n": -12, "l": [true, [:]]]),
      ("}", ["city": "Osé😀", "n": -12, "l": [true, [:]]]),
    ]
    var partial = PartialJSON()
    for (piece, expected) in steps {
      try partial.append(piece)
      #expect(partial.value == expected, "after \(piece)")
      #expect(partial.isComplete == (piece == "}"))
    }
  }

  @Test func `a character is shown when its last byte has come`() throws {
    var partial = PartialJSON()
    for byte in [0x22, 0xf0, 0x9f, 0x98] as [UInt8] { try partial.append([byte]) }
    #expect(partial.value == "")
    try partial.append([0x80])
    #expect(partial.value == "😀")
  }

  @Test func `a number alone is whole only at the end`() throws {
    var partial = PartialJSON()
    try partial.append("12")
    #expect(partial.value == nil)
    #expect(!partial.isComplete)
    #expect(try partial.finish() == 12)
    #expect(partial.value == 12)
  }

  @Test func `a repeated key shows what will count`() throws {
    var last = PartialJSON()
    try last.append(#"{"a":{"b":1},"c":2,"a":{"d"#)
    #expect(last.value?.text() == #"{"a":{},"c":2}"#)
    var first = PartialJSON(options: JSONReader.Options(duplicateKeys: .first))
    try first.append(#"{"a":{"b":1},"a":{"d":["x"#)
    #expect(first.value?.text() == #"{"a":{"b":1}}"#)
    try first.append(#"y"]},"e":"f"#)
    #expect(first.value?.text() == #"{"a":{"b":1},"e":"f"}"#)
  }

  @Test func `values taken earlier do not change`() throws {
    var partial = PartialJSON()
    var values: [String?] = []
    var taken: [JSONValue?] = []
    for piece in [#"{"a":["x"#, #"y",{"b":"#, #""z"#, #"z"}"#, "]}"] {
      try partial.append(piece)
      values.append(partial.value?.text())
      taken.append(partial.value)
    }
    #expect(taken.map { $0?.text() } == values)
  }

  @Test func `after an error the value stays and the error repeats`() throws {
    var partial = PartialJSON()
    try partial.append(#"{"a":"b"#)
    let first = try #require(throws: JSONError.self) { try partial.append("c\",x\"") }
    #expect(first.position.offset == 10)
    #expect(partial.value == ["a": "bc"])
    #expect(throws: first) { try partial.append("}") }
    #expect(throws: first) { try partial.finish() }
    #expect(!partial.isComplete)
  }

  @Test func `a document that is cut off is an error at its end`() throws {
    var partial = PartialJSON()
    try partial.append("[1,\n\"é")
    let error = #expect(throws: JSONError.self) { try partial.finish() }
    #expect(error?.code == .unexpectedEnd)
    #expect(error?.position == JSONError.Position(offset: 7, line: 2, column: 3))
    #expect(partial.value == [1, "é"])
  }
}
