import Foundation
import MartletJSON
import Testing

@Suite struct DerivedSchemaTests {
  enum Unit: String, Codable, CaseIterable, CodingKeyRepresentable { case celsius, fahrenheit }
  enum Level: Int, Codable, CaseIterable { case low = 1, high = 3 }
  struct Place: Codable {
    var lat: Double, lon: Double
    var name: String?
  }
  struct ModelName: RawRepresentable, Codable { var rawValue: String }

  struct Everything: Codable {
    var city: String
    var days: Int
    var unit: Unit
    var level: Level?
    var places: [Place]
    var home: Place
    var counts: [String: Int]
    var perUnit: [Unit: Double]
    var byNumber: [Int: Bool]
    var start: Date
    var link: URL?
    var id: UUID
    var blob: Data
    var price: Decimal
    var tags: Set<String>
    var size: UInt8
    var grid: [[Float]]
    var model: ModelName
    var extra: JSONValue
    var object: JSONObject
    var span: ClosedRange<Int>

    enum CodingKeys: String, CodingKey {
      case city, days, unit, level, places, home, counts, perUnit
      case byNumber = "by_number"
      case start, link, id, blob, price, tags, size, grid, model, extra, object, span
    }
  }

  typealias Derivable = Decodable & SendableMetatype

  @Test func `a struct derives its whole schema in the order of declaration`() throws {
    let place =
      #"{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"},"name":{"type":"string"}},"#
      + #""required":["lat","lon"],"additionalProperties":false}"#
    let members = [
      #""city":{"type":"string"}"#,
      #""days":{"type":"integer"}"#,
      #""unit":{"type":"string","enum":["celsius","fahrenheit"]}"#,
      #""level":{"type":"integer","enum":[1,3]}"#,
      #""places":{"type":"array","items":\#(place)}"#,
      #""home":\#(place)"#,
      #""counts":{"type":"object","additionalProperties":{"type":"integer"}}"#,
      #""perUnit":{"type":"object","additionalProperties":{"type":"number"},"#
        + #""propertyNames":{"enum":["celsius","fahrenheit"]}}"#,
      #""by_number":{"type":"object","additionalProperties":{"type":"boolean"},"propertyNames":{"pattern":"^-?[0-9]+$"}}"#,
      #""start":{"type":"string","format":"date-time"}"#,
      #""link":{"type":"string","format":"uri"}"#,
      #""id":{"type":"string","format":"uuid"}"#,
      #""blob":{"type":"string","contentEncoding":"base64"}"#,
      #""price":{"type":"number"}"#,
      #""tags":{"type":"array","items":{"type":"string"},"uniqueItems":true}"#,
      #""size":{"type":"integer","minimum":0,"maximum":255}"#,
      #""grid":{"type":"array","items":{"type":"array","items":{"type":"number"}}}"#,
      #""model":{"type":"string"}"#,
      #""extra":{}"#,
      #""object":{"type":"object"}"#,
      #""span":{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}],"items":false,"minItems":2}"#,
    ]
    let required =
      #"["city","days","unit","places","home","counts","perUnit","by_number","start","id","blob","price","tags","size","#
      + #""grid","model","extra","object","span"]"#
    let expected =
      #"{"type":"object","properties":{\#(members.joined(separator: ","))},"required":\#(required),"#
      + #""additionalProperties":false}"#
    #expect(try JSONSchema.derived(from: Everything.self).document.text() == expected)
  }

  @Test func `what a derived schema admits decodes, and what was encoded it admits`() throws {
    // One tag: the order of a set of two differs from one copy to the next.
    let value = Everything(
      city: "Oslo", days: 2, unit: .celsius, level: .high, places: [.init(lat: 1, lon: 2, name: "x")],
      home: .init(lat: 0, lon: 0), counts: ["a": 1], perUnit: [.celsius: 1.5], byNumber: [-3: true],
      start: Date(timeIntervalSince1970: 0), link: URL(string: "https://example.com"), id: UUID(), blob: Data([1, 2]),
      price: Decimal(string: "1.10") ?? 0, tags: ["a"], size: 255, grid: [[1], []], model: .init(rawValue: "m"),
      extra: [1, nil], object: ["a": nil], span: 1...4)
    let json = try JSONValue(encoding: value)
    #expect(try JSONSchema.derived(from: Everything.self).validate(json) == [])
    #expect(try JSONValue(encoding: json.decode(Everything.self)) == json)
  }

  // MARK: Types that hold themselves

  struct Tree: Codable {
    var value: Int
    var children: [Tree]
  }
  final class List: Codable {
    var item: Unit
    var next: List?
  }
  struct Forest: Codable {
    var oak: Tree
    var others: [String: Tree]
    var list: List
  }
  struct Even: Codable { var odds: [Odd] }
  struct Odd: Codable { var evens: [Even] }

  @Test func `a type that holds itself refers to the root`() throws {
    #expect(
      try JSONSchema.derived(from: Tree.self).document == [
        "type": "object",
        "properties": ["value": ["type": "integer"], "children": ["type": "array", "items": ["$ref": "#"]]],
        "required": ["value", "children"], "additionalProperties": false,
      ])
  }

  @Test func `types that hold themselves further down become definitions`() throws {
    let schema = try JSONSchema.derived(from: Forest.self)
    #expect(schema.document["properties"]?["oak"] == ["$ref": "#/$defs/Tree"])
    #expect(
      schema.document["properties"]?["others"] == ["type": "object", "additionalProperties": ["$ref": "#/$defs/Tree"]])
    #expect(schema.document["$defs"]?.objectValue.map { Array($0.keys) } == ["List", "Tree"])
    #expect(schema.isValid(["oak": ["value": 1, "children": []], "others": [:], "list": ["item": "celsius"]]))
    #expect(!schema.isValid(["oak": ["value": 1, "children": [3]], "others": [:], "list": ["item": "celsius"]]))
  }

  @Test func `types that hold each other are followed`() throws {
    let schema = try JSONSchema.derived(from: Even.self)
    #expect(schema.document["properties"]?["odds"]?["items"]?["properties"]?["evens"]?["items"] == ["$ref": "#"])
    #expect(schema.isValid(["odds": [["evens": [["odds": []]]]]]))
  }

  @Test func `an array of types that hold themselves is no root for them`() throws {
    let schema = try JSONSchema.derived(from: [Tree].self)
    #expect(schema.document["items"] == ["$ref": "#/$defs/Tree"])
    #expect(schema.isValid([["value": 1, "children": []]]))
  }

  // MARK: Types that cannot be derived

  enum Payload: Codable { case text(String), number(Int) }
  enum Unlisted: String, Codable { case one, two }
  struct Positive: Codable {
    var number: Int
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
      guard number > 0 else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not positive"))
      }
    }
  }
  struct AnyKeys: Decodable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { return nil }
    }
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self).allKeys }
  }
  final class Endless: Codable { var next: Endless }
  struct Outer<Inner: Decodable>: Decodable {
    struct Middle: Decodable { var inner: Inner }
    var list: [Middle]
  }

  @Test(arguments: [
    (Outer<Payload>.self as any Derivable.Type, "conform it to JSONSchemaProviding"),
    (Outer<Unlisted>.self, "make it CaseIterable"), (Outer<Unlisted?>.self, "make it CaseIterable"),
    (Outer<Positive>.self, "conform it to JSONSchemaProviding"), (Outer<AnyKeys>.self, "known only at run time"),
    (Outer<Endless>.self, "holds itself without an array or optional"),
    (Outer<[Level: Int]>.self, "is not an object in JSON"),
  ])
  func `a type that cannot be derived is named with its property`(type: any Derivable.Type, reason: String) {
    #expect {
      try JSONSchema.derived(from: type)
    } throws: { error in
      guard let error = error as? JSONSchemaError else { return false }
      return error.code == .underivable && error.location.hasPrefix("list.[].inner") && error.message.contains(reason)
    }
  }

  // MARK: Hand-written schemas and decoders

  struct Percentage: Codable, JSONSchemaProviding {
    var value: Int
    static let jsonSchema: JSONValue = ["type": "integer", "minimum": 1, "maximum": 100]
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
      guard (1...100).contains(value) else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "out of range"))
      }
    }
  }
  struct Stubborn: Decodable, JSONSchemaProviding {
    static let jsonSchema: JSONValue = ["type": "string"]
    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
    }
  }
  struct Shares: Codable { var mine: Percentage, yours: Percentage? }

  @Test func `a hand-written schema is used as it is`() throws {
    let schema = try JSONSchema.derived(from: Shares.self)
    #expect(schema.document["properties"]?["mine"] == Percentage.jsonSchema)
    #expect(schema.document["required"] == ["mine"])
  }

  @Test func `a hand-written schema without a usable sample asks for one`() {
    #expect {
      try JSONSchema.derived(from: Outer<Stubborn>.self)
    } throws: {
      ($0 as? JSONSchemaError)?.message.contains("`examples`") == true
    }
  }

  class Animal: Codable { var legs = 4 }
  final class Dog: Animal {
    var name = ""
    enum Key: String, CodingKey { case name, owner }
    enum OwnerKey: String, CodingKey { case phone }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Rex"
      _ = try container.nestedContainer(keyedBy: OwnerKey.self, forKey: .owner).decode(String.self, forKey: .phone)
      try super.init(from: decoder)
    }
  }

  @Test func `hand-written decoding with nested containers and a superclass is followed`() throws {
    let document = try JSONSchema.derived(from: Dog.self).document
    #expect(document["properties"]?.objectValue.map { Array($0.keys) } == ["name", "owner", "legs"])
    #expect(document["properties"]?["owner"]?["properties"]?["phone"] == ["type": "string"])
    #expect(document["required"] == ["owner", "legs"])
  }

  @Test(arguments: [
    (Int.self as any Derivable.Type, #"{"type":"integer"}"#), (UInt.self, #"{"type":"integer","minimum":0}"#),
    (String?.self, #"{"type":"string"}"#), ([Bool].self, #"{"type":"array","items":{"type":"boolean"}}"#),
    (JSONValue.self, "{}"), (Unit.self, #"{"type":"string","enum":["celsius","fahrenheit"]}"#),
  ])
  func `single values derive too`(type: any Derivable.Type, text: String) throws {
    #expect(try JSONSchema.derived(from: type).document.text() == text)
  }
}
