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
}
