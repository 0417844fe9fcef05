import MartletJSON
import Testing

@Suite struct JSONScannerTests {
  /// Reads a whole text through a scanner, member by member.
  static func walked(_ scanner: inout JSONScanner, like value: JSONValue) throws(JSONError) -> JSONValue {
    switch value {
    case .object:
      var object = JSONObject()
      guard try scanner.enterObject() else { return .null }
      while try scanner.nextMember() {
        let key = scanner.key
        object[key] = try walked(&scanner, like: value[key] ?? .null)
      }
      return .object(object)
    case .array(let values):
      var read: [JSONValue] = []
      guard try scanner.enterArray() else { return .null }
      while try scanner.nextElement() {
        read.append(try walked(&scanner, like: read.count < values.count ? values[read.count] : .null))
      }
      return .array(read)
    case .string: return try scanner.string().map { .string($0) } ?? .null
    case .number(let number) where number.int != nil: return try scanner.int().map { .number(JSONNumber($0)) } ?? .null
    default: return try scanner.value()
    }
  }

  static let texts = [
    #"{"a":1,"b":[true,false,null,-2.5e3],"c":{"d":"x\n\"y\" \u00e9 ü 😀","e":{}},"f":[]}"#,
    " [ 1 , \"two\" , { \"three\" : [ [ ] , [ [ 3 ] ] ] } ] ", #""plain""#, "12", #"{"long":"0123456789abcdefghij"}"#,
  ]

  @Test(arguments: texts) func `walking a text reads what parsing it reads`(text: String) throws {
    let value = try JSONValue(parsing: text)
    let read = try JSONScanner.scan(Array(text.utf8)[...]) { scanner throws(JSONError) in
      try Self.walked(&scanner, like: value)
    }
    #expect(read == value)
  }

  @Test func `what is not asked for is passed over`() throws {
    let text = #"{"skip":{"deep":[1,{"x":"}]\"{"}]},"s":5,"wanted":"yes","rest":[[]]}"#
    let wanted = try JSONScanner.scan(Array(text.utf8)[...]) { scanner throws(JSONError) -> String? in
      var wanted: String?
      guard try scanner.enterObject() else { return nil }
      while try scanner.nextMember() {
        if scanner.isKey("wanted") {
          wanted = try scanner.string()
        } else if scanner.isKey("s") {
          #expect(try scanner.string() == nil)
        } else {
          try scanner.skip()
        }
      }
      return wanted
    }
    #expect(wanted == "yes")
  }

  @Test(arguments: ["", "{", #"{"a"#, #"{"a":"#, #"{"a":1"#, "[1,", #""x\"#, "]", "{]", #"{"a" 1}"#])
  func `a text that is cut or wrong is an error`(text: String) {
    #expect(throws: JSONError.self) {
      try JSONScanner.scan(Array(text.utf8)[...]) { scanner throws(JSONError) in
        if try scanner.enterObject() {
          while try scanner.nextMember() { _ = try scanner.value() }
        } else {
          throw try JSONScannerTests.endError()
        }
      }
    }
  }

  /// The error of a text that was skipped although an object was wanted.
  static func endError() throws(JSONError) -> JSONError {
    do { _ = try JSONValue(parsing: "{") } catch { return error }
    fatalError("a cut text was read")
  }

  @Test func `no bytes make it crash`() {
    for seed in 0..<4_000 as Range<UInt64> {
      var state = seed
      func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
      var bytes = Array(Self.texts[random(Self.texts.count)].utf8)
      for _ in 0...random(4) {
        switch random(3) {
        case 0: bytes[random(bytes.count)] = UInt8(random(256))
        case 1: bytes.insert(Array("{}[]\",:\\".utf8)[random(8)], at: random(bytes.count))
        default: bytes.removeLast(min(bytes.count - 1, random(3)))
        }
      }
      do {
        try JSONScanner.scan(bytes[...]) { scanner throws(JSONError) in
          guard try scanner.enterObject() else { return }
          while try scanner.nextMember() {
            if try scanner.isString() { _ = try scanner.string() } else { _ = try scanner.value() }
          }
        }
      } catch { continue }
    }
  }

  @Test(arguments: 0..<40) func `passing over a value leads behind it, whatever it is`(batch: UInt64) throws {
    for seed in batch * 50..<(batch + 1) * 50 {
      var random = SeededGenerator(seed: seed)
      let list = "[\(Self.value(&random, depth: 0).text()), \"after\"]"
      let found = try JSONScanner.scan(Array(list.utf8)[...]) { scanner throws(JSONError) -> String? in
        guard try scanner.enterArray(), try scanner.nextElement() else { return nil }
        try scanner.skip()
        guard try scanner.nextElement() else { return nil }
        let text = try scanner.string()
        return try scanner.nextElement() ? nil : text
      }
      #expect(found == "after", "seed \(seed): \(list)")
    }
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
    func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
    switch pick(depth > 3 ? [0, 1, 2, 3] : [0, 1, 2, 3, 4, 5, 3, 3]) {
    case 0: return pick([.null, true, false])
    case 1: return pick([1, -7, 0, 123_456_789])
    case 2: return pick([1.5, -2e10])
    case 3: return .string(pick(["", "plain", "\"\\/\n\t\u{1}", "äöü世界👋", "\\\\\"", "ends in \\"]))
    case 4:
      let count = pick([0, 1, 3])
      return .array((0..<count).map { _ in value(&random, depth: depth + 1) })
    default:
      var object = JSONObject()
      for _ in 0..<pick([0, 1, 3]) {
        let key = pick(["a", "delta", "k\"ey", "ä"])
        object[key] = value(&random, depth: depth + 1)
      }
      return .object(object)
    }
  }

  @Test(arguments: [
    #""plain""#, #""""#, #""a\n\t\r\b\f\/\\\"b""#, #""\u00e9\u4e16\ud83d\udc4b""#, #""\ud83d alone""#, #""\udc4b""#,
    #""\ud83dx\u0041""#, #""é世👋""#, #""\\\\""#,
  ])
  func `strings read as the reader reads them`(text: String) throws {
    let string = try JSONScanner.scan(Array(text.utf8)[...]) { scanner throws(JSONError) in try scanner.string() }
    #expect(string == (try JSONValue(parsing: text)).stringValue)
  }

  @Test(arguments: [
    "0", "7", "-7", "123456789", "999999999999999999", "9223372036854775807", "3.0", "3.5", "1e3",
    "9223372036854775808",
    "null", "\"3\"", "[3]", "{}",
  ])
  func `integers read as the reader reads them`(text: String) throws {
    let list = "[\(text),true]"
    let (int, rest) = try JSONScanner.scan(Array(list.utf8)[...]) { scanner throws(JSONError) -> (Int?, Bool?) in
      guard try scanner.enterArray(), try scanner.nextElement() else { return (nil, nil) }
      let int = try scanner.int()
      return (int, try scanner.nextElement() ? try scanner.bool() : nil)
    }
    #expect(int == (try JSONValue(parsing: text)).intValue)
    #expect(rest == true)
  }

  @Test(arguments: ["01", "-", "1x", "--1"])
  func `what only looks like an integer is an error`(text: String) {
    #expect(throws: JSONError.self) {
      try JSONScanner.scan(Array("[\(text)]".utf8)[...]) { scanner throws(JSONError) -> Int? in
        guard try scanner.enterArray(), try scanner.nextElement() else { return nil }
        return try scanner.int()
      }
    }
  }

  @Test func `a decimal number is read as the nearest double`() throws {
    var random = SeededGenerator(seed: 7)
    var texts = ["0", "0.0", "-0", "-1.5", "1e3", "2.5E-7", "0.1", "0.02", "123456789012345.6", "12345678901234567890"]
    for _ in 0..<5_000 {
      let digits = String(UInt64.random(in: 0...UInt64.max, using: &random)).prefix(
        Int.random(in: 1...20, using: &random))
      let point = Int.random(in: 0..<digits.count, using: &random)
      let whole = digits.prefix(point)
      let isWhole = point == 0 || whole.first == "0"
      texts.append((isWhole ? "0" : String(whole)) + "." + digits.dropFirst(point))
    }
    for text in texts {
      let value = try JSONScanner.scan(Array("[\(text),1]".utf8)[...]) { scanner throws(JSONError) -> Double? in
        guard try scanner.enterArray(), try scanner.nextElement() else { return nil }
        let value = try scanner.double()
        guard try scanner.nextElement(), try scanner.int() == 1 else { return nil }
        return value
      }
      #expect(value?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(arguments: ["01", "01.5", "1.", ".5", "1.x", "--1", "1.5.2"])
  func `what is no number is not read as a double`(text: String) {
    #expect(throws: JSONError.self) {
      _ = try JSONScanner.scan(Array("[\(text)]".utf8)[...]) { scanner throws(JSONError) -> Double? in
        guard try scanner.enterArray(), try scanner.nextElement() else { return nil }
        guard let value = try scanner.double() else { return try scanner.value().doubleValue }
        _ = try scanner.nextElement()
        return value
      }
    }
  }

  @Test func `bytes are passed over where they are just these`() throws {
    let passed = try JSONScanner.scan(Array(#"{"a":1}"#.utf8)[...]) { scanner throws(JSONError) -> [Bool] in
      [
        scanner.passes(#"{"b":"#), scanner.passes(#"{"a":"#), try scanner.int() == 1, scanner.passes("}}"),
        scanner.passes("}"),
      ]
    }
    #expect(passed == [false, true, true, false, true])
  }

  @Test func `words are told apart without their being copied`() throws {
    let text = #"{"type":"content_block_delta","other":5}"#
    try JSONScanner.scan(Array(text.utf8)[...]) { scanner throws(JSONError) in
      _ = try scanner.enterObject()
      _ = try scanner.nextMember()
      #expect("type" ~= scanner.keyWord && !("typ" ~= scanner.keyWord))
      let word = try scanner.word()
      #expect(word.map { "content_block_delta" ~= $0 && $0.hasSuffix("_delta") && !$0.hasSuffix("x_delta") } == true)
      _ = try scanner.nextMember()
      #expect(try scanner.word().map { _ in true } == nil)
      #expect(try !scanner.nextMember())
    }
  }
}
