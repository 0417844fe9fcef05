import Foundation
import MartletJSON
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: Corpus.accepted) func `accepts`(_ sample: Corpus.Accepted) throws {
    let value = try JSONValue(parsing: sample.text)
    #expect(value == sample.value)
    #expect(value.hashValue == sample.value.hashValue)
    #expect(try JSONValue(parsing: value.bytes()) == value)
    #expect(try JSONValue(parsing: value.bytes(.pretty)) == value)
    #expect(try JSONValue(parsing: value.bytes(.canonical)) == value)
  }

  @Test(arguments: Corpus.refused) func `refuses`(_ sample: Corpus.Refused) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: sample.text) }
    #expect(error?.code == sample.code)
    #expect(error?.position.offset == sample.offset)
  }

  @Test(arguments: Corpus.accepted) func `refuses every cut of an array or object`(_ sample: Corpus.Accepted) {
    guard sample.text.first == UInt8(ascii: "[") || sample.text.first == UInt8(ascii: "{") else { return }
    for end in 0..<sample.text.count where sample.text[end...].contains(where: { $0 > 0x20 }) {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: sample.text[..<end]) }
      #expect(error?.code == .unexpectedEnd || error?.code == .invalidUTF8)
    }
  }

  @Test func `accepts what Foundation accepts and reads the same`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      // Foundation rejects lone surrogates, and numbers beyond Double.
      let text = random.document()
      guard !text.contains(#"\ud800"#), !text.contains(#"\udc00"#), !text.contains("1e400") else { continue }
      let ours = try JSONValue(parsing: text)
      let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      #expect(isSame(ours, theirs), "seed \(seed): \(text)")
    }
  }

  private func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours {
    case .null: theirs is NSNull
    case .bool(let value): theirs as? Bool == value
    // JSONSerialization can be off by some units in the last place.
    case .number(let value):
      (theirs as? NSNumber).map { abs($0.doubleValue - value.double) <= 8 * value.double.ulp } ?? false
    case .string(let value): (theirs as? String).map { Array($0.utf8) == Array(value.utf8) } ?? false
    case .array(let value):
      (theirs as? [Any]).map { $0.count == value.count && zip(value, $0).allSatisfy(isSame) } ?? false
    case .object(let value):
      (theirs as? [String: Any]).map { theirs in
        value.allSatisfy { key, value in theirs[key].map { isSame(value, $0) } ?? false }
      } ?? false
    }
  }

  // MARK: Choices

  @Test func `the last or the first of repeated keys counts, at the first place`() throws {
    let text = #"{"a":1,"b":{"x":1},"a":[2],"a":{"deep":[3]}}"#
    #expect(try JSONValue(parsing: text).text() == #"{"a":{"deep":[3]},"b":{"x":1}}"#)
    let options = JSONReader.Options(duplicateKeys: .first)
    #expect(try JSONValue(parsing: text, options: options).text() == #"{"a":1,"b":{"x":1}}"#)
  }

  @Test(arguments: [0, 10, 11, 12, 13, 14, 100]) func `a repeated key can be refused among many`(others: Int) {
    let members = (0..<others).map { "\"key\($0)\":\($0)" }
    let text = "{\"twice\":0,\n" + members.map { $0 + "," }.joined() + " \"twice\":1}"
    let options = JSONReader.Options(duplicateKeys: .error)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, options: options) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.position.line == 2)
    #expect(error?.position.column == text.split(separator: "\n")[1].count - 9)
  }

  @Test func `lone surrogates can be refused`() {
    let options = JSONReader.Options(loneSurrogates: .error)
    for text in [#"["é\ud800"]"#, #"["é\udc00"]"#, #"["é\ud800\n"]"#, #"["é\ud800\ud800\udc00"]"#, #"["é\ud800"#] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, options: options) }
      #expect(error?.code == .loneSurrogate)
      #expect(error?.position == JSONError.Position(offset: 4, line: 1, column: 4))
    }
    #expect(throws: Never.self) { try JSONValue(parsing: #""\ud83d\ude00""#, options: options) }
  }

  @Test func `a byte order mark can be refused`() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: "\u{feff}1", options: JSONReader.Options(byteOrderMark: .error))
    }
    #expect(error?.code == .byteOrderMark)
    #expect(error?.position.offset == 0)
  }

  @Test(arguments: [0, 1, 7, 1_024]) func `the depth limit is exact`(limit: Int) throws {
    let options = JSONReader.Options(maximumDepth: limit)
    let fitting = String(repeating: "[", count: limit) + "1" + String(repeating: "]", count: limit)
    #expect(throws: Never.self) { try JSONValue(parsing: fitting, options: options) }
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "[\(fitting)]", options: options) }
    #expect(error?.code == .tooDeep)
    #expect(error?.position.offset == limit)
  }

  @Test func `no depth limit can exhaust the stack`() {
    let options = JSONReader.Options(maximumDepth: .max)
    for text in [String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000)] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, options: options) }
      #expect(error?.code == .tooDeep)
    }
  }

  // MARK: Errors

  @Test func `an error says where it is, counting lines of every kind and characters`() {
    let text = "{\n  \"é😀\": 1,\r\n\r  \"añb\": x\n}"
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.position == JSONError.Position(offset: 29, line: 4, column: 10))
    #expect(error?.description == "the character 'x' cannot stand here in a JSON text (line 4, column 10)")
  }

  @Test func `a text is read from any sequence of bytes`() throws {
    let bytes = Array("[1]".utf8)
    #expect(try JSONValue(parsing: bytes[...]) == [1])
    #expect(try JSONValue(parsing: Data(bytes)) == [1])
    #expect(try JSONValue(parsing: AnySequence(bytes)) == [1])
    #expect(try JSONReader().read("[1]") == [1])
    #expect(try bytes.withUnsafeBytes { try JSONReader().read($0) } == [1])
  }

  // MARK: Robustness

  @Test func `no mutation of a text crashes, and what is accepted survives a round trip`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<5_000 {
      let bytes = random.mutate(Array(random.document().utf8))
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      let text = value.bytes()
      #expect(try JSONValue(parsing: text) == value, "seed \(seed)")
      #expect(try JSONValue(parsing: text).bytes() == text, "seed \(seed)")
    }
  }
}
