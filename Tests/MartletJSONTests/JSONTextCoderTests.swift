import Foundation
import MartletJSON
import Testing

@Suite struct JSONTextCoderTests {
  struct Event: Codable, Equatable {
    var type: String
    var index: Int
    var ratio: Double
    var tags: [String]
    var maybe: Int?
    var nested: [String: [Int]]
    var raw: JSONValue
    var at: Date
    var data: Data
    var link: URL
    var price: Decimal
    var big: UInt64
  }

  static func event() throws -> Event {
    Event(
      type: "delta", index: -3, ratio: 0.1, tags: ["a", "é"], maybe: nil, nested: ["k": [1, 2]],
      raw: ["z": 1, "a": [nil, true, 2.50]], at: Date(timeIntervalSince1970: 1_796_030_045.123),
      data: Data([0, 1, 255]), link: try #require(URL(string: "https://example.org/a?b=c")),
      price: try #require(Decimal(string: "12.340")),
      big: .max)
  }

  @Test func `a value of every kind survives`() throws {
    let event = try Self.event()
    let text = try JSONTextEncoder().text(event)
    #expect(
      text == #"""
        {"type":"delta","index":-3,"ratio":0.1,"tags":["a","é"],"nested":{"k":[1,2]},"raw":{"z":1,"a":[null,true,2.5]},\#
        "at":"2026-11-30T09:14:05.123Z","data":"AAH/","link":"https://example.org/a?b=c","price":12.34,\#
        "big":18446744073709551615}
        """#)
    #expect(try JSONTextDecoder().decode(Event.self, from: text) == event)
    #expect(try JSONTextDecoder().decode(Event.self, from: Array(text.utf8)) == event)
    #expect(try JSONValue(encoding: event).decode(Event.self) == event)
  }

  @Test func `the order of keys is the order of the type, every time`() throws {
    let event = try Self.event()
    let first = try JSONTextEncoder().encode(event)
    for _ in 0..<10 { #expect(try JSONTextEncoder().encode(event) == first) }
    let keys = try JSONValue(parsing: first).objectValue.map { Array($0.keys) }
    #expect(keys == ["type", "index", "ratio", "tags", "nested", "raw", "at", "data", "link", "price", "big"])
  }

  // MARK: Numbers

  struct Numbers: Codable, Equatable {
    var i8: Int8
    var i16: Int16
    var i32: Int32
    var i64: Int64
    var i: Int
    var u8: UInt8
    var u16: UInt16
    var u32: UInt32
    var u64: UInt64
    var u: UInt
    var f: Float
    var d: Double
  }

  @Test func `the limits of every number type survive`() throws {
    let all = [
      Numbers(
        i8: .min, i16: .min, i32: .min, i64: .min, i: .min, u8: .min, u16: .min, u32: .min, u64: .min, u: .min,
        f: -.greatestFiniteMagnitude, d: -.greatestFiniteMagnitude),
      Numbers(
        i8: .max, i16: .max, i32: .max, i64: .max, i: .max, u8: .max, u16: .max, u32: .max, u64: .max, u: .max,
        f: .leastNonzeroMagnitude, d: .leastNonzeroMagnitude),
    ]
    #expect(try JSONTextDecoder().decode([Numbers].self, from: JSONTextEncoder().encode(all)) == all)
    if #available(macOS 15, iOS 18, *) {
      let wide: [Int128] = [.min, .max]
      #expect(try JSONTextDecoder().decode([Int128].self, from: JSONTextEncoder().encode(wide)) == wide)
      #expect(try JSONTextDecoder().decode([UInt128].self, from: JSONTextEncoder().encode([UInt128.max])) == [.max])
    }
  }

  @Test(arguments: ["3", "3.0", "3e0", "0.3e1"]) func `an exact integer is an integer`(text: String) throws {
    #expect(try JSONTextDecoder().decode(Int.self, from: text) == 3)
    #expect(try JSONTextDecoder().decode(UInt8?.self, from: text) == 3)
    #expect(try JSONTextDecoder().decode(Double.self, from: text) == 3)
  }

  @Test func `what does not fit is an error`() {
    func refuse<T: Decodable>(_ type: T.Type, _ text: String) {
      let error = #expect(throws: DecodingError.self) { try JSONTextDecoder().decode([T].self, from: "[\(text)]") }
      guard let error else { return }
      #expect(error.path == ["Index 0"], "\(type) from \(text)")
    }
    refuse(Int.self, "3.5")
    refuse(Int.self, "9223372036854775808")
    refuse(UInt.self, "-1")
    refuse(Int8.self, "128")
    refuse(Double.self, "1e400")
    refuse(Float.self, "1e39")
    refuse(Int.self, "true")
    refuse(Bool.self, "1")
    refuse(Int.self, "\"1\"")
    refuse(String.self, "1")
    refuse(Double.self, "null")
    refuse(URL.self, "\"\"")
    refuse(Data.self, "\"?\"")
    refuse(Date.self, "\"yesterday\"")
    refuse(Date.self, "0")
    refuse([String: Int].self, "[]")
    refuse([Int].self, "{}")
    refuse(JSONObject.self, "[]")
    refuse(JSONNumber.self, "\"1\"")
  }

  @Test func `a double is written as the shortest text that reads back the same`() throws {
    let doubles = [3, 0.1, -0.0, 1e300, .leastNonzeroMagnitude]
    #expect(try JSONTextEncoder().text(doubles) == "[3.0,0.1,-0.0,1e+300,5e-324]")
    #expect(try JSONTextEncoder().text([Float(0.1)]) == "[0.1]")
    for value in [Double.nan, .infinity, -.infinity] {
      let error = #expect(throws: EncodingError.self) { try JSONTextEncoder().encode(["a": [value]]) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
    }
  }

  @Test func `decimals keep their digits`() throws {
    let text = "[0.1,123456789012345678901234567890.12345678,-5]"
    let decimals = try JSONTextDecoder().decode([Decimal].self, from: text)
    #expect(decimals[1].description == "123456789012345678901234567890.12345678")
    #expect(try JSONTextEncoder().text(decimals) == text)
  }

  // MARK: Dates

  @Test func `dates are RFC 3339 or milliseconds`() throws {
    let date = Date(timeIntervalSince1970: 1_796_030_045.123)
    #expect(try JSONTextEncoder().text(date) == #""2026-11-30T09:14:05.123Z""#)
    #expect(try JSONTextEncoder(dates: .milliseconds).text(date) == "1796030045123")
    #expect(try JSONTextDecoder(dates: .milliseconds).decode(Date.self, from: "1796030045123") == date)
    #expect(try JSONTextDecoder().decode(Date.self, from: #""2026-11-30T10:14:05.123+01:00""#) == date)
    #expect(
      try JSONTextDecoder().decode([String: Date].self, from: #"{"a":"1970-01-01T00:00:00Z"}"#) == [
        "a": .init(timeIntervalSince1970: 0)
      ])
    #expect(throws: EncodingError.self) { try JSONTextEncoder().encode(Date.distantFuture.addingTimeInterval(1e12)) }
    #expect(throws: EncodingError.self) { try JSONTextEncoder().encode(Date(timeIntervalSince1970: .nan)) }
  }

  // MARK: Errors

  struct Outer: Decodable {
    struct Inner: Decodable {
      var numbers: [Int]
    }
    var inner: [String: Inner]
  }

  @Test func `an error names the path to the value`() throws {
    let wrong = #expect(throws: DecodingError.self) {
      try JSONTextDecoder().decode(Outer.self, from: #"{"inner":{"x":{"numbers":[1,2.5]}}}"#)
    }
    #expect(wrong?.path == ["inner", "x", "numbers", "Index 1"])
    let missing = #expect(throws: DecodingError.self) {
      try JSONTextDecoder().decode(Outer.self, from: #"{"inner":{"x":{}}}"#)
    }
    guard case .keyNotFound(let key, _)? = missing else {
      Issue.record("\(String(describing: missing))")
      return
    }
    #expect(key.stringValue == "numbers")
    #expect(missing?.path == ["inner", "x"])
    let null = #expect(throws: DecodingError.self) {
      try JSONTextDecoder().decode(Outer.self, from: #"{"inner":{"x":null}}"#)
    }
    guard case .valueNotFound(_, let context)? = null else {
      Issue.record("\(String(describing: null))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["inner", "x"])
    #expect(throws: JSONError.self) { try JSONTextDecoder().decode(Outer.self, from: "{") }
  }

  // MARK: Containers

  /// Uses every kind of container, some of them interleaved.
  struct Winding: Codable, Equatable {
    var values: [Int]

    enum Key: String, CodingKey { case list, object, zero, own, last }

    init(values: [Int]) {
      self.values = values
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var object = container.nestedContainer(keyedBy: Key.self, forKey: .object)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try values[0].encode(to: container.superEncoder())
      try object.encode(values[1], forKey: .zero)
      var inner = list.nestedContainer(keyedBy: Key.self)
      try list.encode(values[2])
      try inner.encode(values[3], forKey: .zero)
      try inner.encodeNil(forKey: .own)
      try values[4].encode(to: list.superEncoder())
      var deep = list.nestedUnkeyedContainer()
      try deep.encode(values[5])
      try deep.encodeNil()
      try values[6].encode(to: container.superEncoder(forKey: .own))
      var deeper = object.nestedUnkeyedContainer(forKey: .list)
      try deeper.encode(values[7])
      var again = encoder.container(keyedBy: Key.self)
      try again.encode(values[8], forKey: .last)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      let inner = try list.nestedContainer(keyedBy: Key.self)
      let third = try list.decode(Int.self)
      let fifth = try Int(from: list.superDecoder())
      var deep = try list.nestedUnkeyedContainer()
      var deeper = try object.nestedUnkeyedContainer(forKey: .list)
      values = [
        try Int(from: container.superDecoder()), try object.decode(Int.self, forKey: .zero), third,
        try inner.decode(Int.self, forKey: .zero), fifth, try deep.decode(Int.self),
        try Int(from: container.superDecoder(forKey: .own)), try deeper.decode(Int.self),
        try container.decode(Int.self, forKey: .last),
      ]
      guard list.isAtEnd, try inner.decodeNil(forKey: .own), try deep.decodeNil(), deep.isAtEnd, deeper.isAtEnd,
        list.currentIndex == 4, list.count == 4, !container.contains(.zero), container.allKeys.count == 4
      else { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "unexpected containers")) }
    }
  }

  @Test func `nested containers and super encoders may be used in any order`() throws {
    let value = Winding(values: Array(1...9))
    let text = try JSONTextEncoder().text(value)
    #expect(
      text
        == #"{"object":{"zero":2,"list":[8]},"list":[{"zero":4,"own":null},3,5,[6,null]],"super":1,"own":7,"last":9}"#)
    #expect(try JSONTextDecoder().decode(Winding.self, from: text) == value)
  }

  class Animal: Codable {
    var name = "Mia"
  }

  final class Cat: Animal {
    var lives = 9

    enum Key: CodingKey { case lives }

    override init() {
      super.init()
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      try super.init(from: container.superDecoder())
      lives = try container.decode(Int.self, forKey: .lives)
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(lives, forKey: .lives)
      try super.encode(to: container.superEncoder())
    }
  }

  @Test func `a class encodes what it inherits`() throws {
    let cat = Cat()
    cat.lives = 7
    let text = try JSONTextEncoder().text(cat)
    #expect(text == #"{"lives":7,"super":{"name":"Mia"}}"#)
    let back = try JSONTextDecoder().decode(Cat.self, from: text)
    #expect(back.lives == 7)
    #expect(back.name == "Mia")
  }

  struct Nothing: Codable, Equatable {}

  @Test func `optionals, dictionaries, enums and empty values survive`() throws {
    enum Level: String, Codable { case low, high }
    enum Shape: Codable, Equatable { case circle(radius: Double), point }
    func roundTrip<T: Codable & Equatable>(_ value: T, _ text: String) throws {
      #expect(try JSONTextEncoder().text(value) == text)
      #expect(try JSONTextDecoder().decode(T.self, from: text) == value)
    }
    try roundTrip(Int?.none, "null")
    try roundTrip([1, nil, 3], "[1,null,3]")
    try roundTrip([7: "seven"], #"{"7":"seven"}"#)
    try roundTrip([Level.low], #"["low"]"#)
    try roundTrip([Shape.circle(radius: 1.5), .point], #"[{"circle":{"radius":1.5}},{"point":{}}]"#)
    try roundTrip(Nothing(), "{}")
    try roundTrip([[Nothing]](), "[]")
    try roundTrip(["": ["": [[1]]]], #"{"":{"":[[1]]}}"#)
    try roundTrip(Set([4]), "[4]")
    try roundTrip("text", #""text""#)
  }

  @Test func `reading past the end of an array is an error with its index`() {
    struct Three: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 0..<3 { _ = try container.decode(Int.self) }
      }
    }
    let error = #expect(throws: DecodingError.self) {
      try JSONTextDecoder().decode([String: Three].self, from: #"{"a":[1,2]}"#)
    }
    #expect(error?.path == ["a", "Index 2"])
  }

  @Test func `user info reaches the types`() throws {
    struct Asks: Codable, Equatable {
      static let key = CodingUserInfoKey(rawValue: "unit")
      var unit: String?

      init(unit: String?) {
        self.unit = unit
      }
      init(from decoder: any Decoder) throws {
        unit = Self.key.flatMap { decoder.userInfo[$0] as? String }
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String })
      }
    }
    let key = try #require(Asks.key)
    #expect(try JSONTextEncoder(userInfo: [key: "m"]).text([Asks(unit: nil)]) == #"["m"]"#)
    #expect(try JSONTextDecoder(userInfo: [key: "m"]).decode([Asks].self, from: "[1]") == [Asks(unit: "m")])
  }

  @Test func `a value in a circle is an error, not a crash`() {
    final class Ring: Encodable {
      var next: Ring?
    }
    let ring = Ring()
    ring.next = ring
    defer { ring.next = nil }
    #expect(throws: EncodingError.self) { try JSONTextEncoder().encode(ring) }
  }

  // MARK: JSONValue

  @Test func `a JSON value inside is taken over as it is`() throws {
    struct Holder: Codable, Equatable {
      var value: JSONValue
      var object: JSONObject
      var number: JSONNumber
      var list: [JSONValue]
      var missing: JSONValue?
    }
    let text = #"{"value":{"b":1.50,"a":[1e400,null]},"object":{"z":1,"y":2},"number":1E5,"list":[null,0.10]}"#
    let holder = try JSONTextDecoder().decode(Holder.self, from: text)
    #expect(try JSONTextEncoder().text(holder) == text)
    #expect(holder.missing == nil)
    #expect(try JSONValue(encoding: holder.value) == holder.value)
  }

  @Test func `a JSON value goes through foreign coders`() throws {
    let value: JSONValue = ["a": [nil, true, 1, -2, 2.5, "x", [:]], "b": JSONValue(UInt64.max), "c": 0]
    let data = try JSONEncoder().encode(value)
    #expect(try JSONValue(parsing: data) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    #expect(try JSONDecoder().decode(JSONObject.self, from: data) == value.objectValue)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONNumber.self, from: data) }
    let list = try PropertyListEncoder().encode(["value": value["a"]?[4]])
    #expect(try PropertyListDecoder().decode([String: JSONNumber].self, from: list) == ["value": 2.5])
  }
}

extension DecodingError {
  fileprivate var path: [String] {
    let context =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "")
      }
    return context.codingPath.map(\.stringValue)
  }
}
