import Foundation
import MartletJSON
import Testing

@Suite struct ToolArgumentsTests {
  enum Unit: String, Codable, CaseIterable { case celsius, fahrenheit }

  struct Forecast: ToolArguments {
    @Parameter("The city, in English", length: 1...80, examples: ["Oslo"]) var city: String
    @Parameter("How many days to look ahead", in: 1...14) var days: Int = 3
    @Parameter("Temperature unit") var unit: Unit?
    @Parameter("Chance of rain that counts", in: 0..<1) var chance: Double = 0.5
    @Parameter("Station number", in: 1...) var station: Int?
    @Parameter("First day", format: .date) var start: Date?
    @Parameter("Language", oneOf: ["en", "no"]) var language: String = "en"
    @Parameter("Words to leave out", count: ...5) var without: [String] = []
    @Parameter("Postal code", pattern: "^[0-9]{4}$") var code: String?
    var verbose = false
    var note: String?

    enum CodingKeys: String, CodingKey {
      case city
      case days = "day_count"
      case unit, chance, station, start, language, without, code, verbose, note
    }
  }

  @Test func `the schema has descriptions, bounds and defaults in the order of declaration`() throws {
    let members = [
      #""city":{"type":"string","minLength":1,"maxLength":80,"description":"The city, in English","examples":["Oslo"]}"#,
      #""day_count":{"type":"integer","minimum":1,"maximum":14,"description":"How many days to look ahead","default":3}"#,
      #""unit":{"type":"string","enum":["celsius","fahrenheit"],"description":"Temperature unit"}"#,
      #""chance":{"type":"number","minimum":0.0,"exclusiveMaximum":1.0,"description":"Chance of rain that counts","#
        + #""default":0.5}"#,
      #""station":{"type":"integer","minimum":1,"description":"Station number"}"#,
      #""start":{"type":"string","format":"date","description":"First day"}"#,
      #""language":{"type":"string","enum":["en","no"],"description":"Language","default":"en"}"#,
      #""without":{"type":"array","items":{"type":"string"},"maxItems":5,"description":"Words to leave out","default":[]}"#,
      #""code":{"type":"string","pattern":"^[0-9]{4}$","description":"Postal code"}"#,
      #""verbose":{"type":"boolean","default":false}"#,
      #""note":{"type":"string"}"#,
    ]
    let expected =
      #"{"type":"object","properties":{\#(members.joined(separator: ","))},"required":["city"],"#
      + #""additionalProperties":false}"#
    #expect(try Forecast.jsonSchema().document.text() == expected)
  }

  @Test func `absent arguments get their defaults`() throws {
    let arguments = try Forecast.decode(from: ["city": "Oslo"])
    #expect(arguments.city == "Oslo")
    #expect(arguments.days == 3)
    #expect(arguments.unit == nil)
    #expect(arguments.chance == 0.5)
    #expect(arguments.station == nil)
    #expect(arguments.start == nil)
    #expect(arguments.language == "en")
    #expect(arguments.without == [])
    #expect(!arguments.verbose)
    #expect(arguments.note == nil)
  }

  @Test func `given arguments win over defaults`() throws {
    let arguments = try Forecast.decode(from: [
      "city": "Oslo", "day_count": 7, "unit": "fahrenheit", "chance": 0, "station": 4, "start": "2026-11-30",
      "language": "no", "without": ["snow"], "code": "0150", "verbose": true, "note": "x",
    ])
    #expect(arguments.days == 7)
    #expect(arguments.unit == .fahrenheit)
    #expect(arguments.station == 4)
    #expect(arguments.start == Date(timeIntervalSince1970: 1_795_996_800))
    #expect(arguments.without == ["snow"])
    #expect(arguments.verbose)
  }

  @Test(
    arguments: [
      (JSONValue.object([:]), "`city` is required but missing"),
      (["city": 3], "`city` must be a string, got an integer (3)"),
      (["city": "Oslo", "day_count": "many"], #"`day_count` must be an integer, got a string ("many")"#),
      (["city": "Oslo", "unit": "kelvin"], #"`unit` must be one of "celsius" or "fahrenheit", got "kelvin""#),
      (["city": "Oslo", "start": "tomorrow"], "Expected a date such as 2026-11-30"),
      ("Oslo", "the value must be an object"),
    ] as [(JSONValue, String)])
  func `arguments that do not fit say so in words a model can act on`(value: JSONValue, message: String) {
    #expect {
      try Forecast.decode(from: value)
    } throws: {
      guard let error = $0 as? JSONSchemaError else { return false }
      return error.code == .invalidArguments && error.message.contains(message)
    }
  }

  // MARK: Coding

  @Test func `parameters are coded as bare values by our coders and Foundation's`() throws {
    var arguments = try Forecast.decode(from: ["city": "Oslo", "start": "2026-11-30T12:00:00+01:00"])
    arguments.unit = .celsius
    let ours = try JSONValue(encoding: arguments)
    #expect(ours["unit"] == "celsius")
    #expect(ours["start"] == "2026-11-30T11:00:00.000Z")
    #expect(ours["station"] == nil && ours.objectValue?.count == 8)
    let theirs = try JSONDecoder().decode(Forecast.self, from: Data(ours.bytes()))
    #expect(theirs.days == 3 && theirs.unit == .celsius && theirs.station == nil)
    #expect(theirs.start == arguments.start)
    #expect(try JSONValue(parsing: [UInt8](JSONEncoder().encode(theirs))) == ours)
    #expect(try ours.decode(Forecast.self).city == "Oslo")
  }

  @Test func `null counts as absent for an optional argument`() throws {
    let arguments = try Forecast.decode(from: ["city": "Oslo", "unit": nil, "start": nil])
    #expect(arguments.unit == nil && arguments.start == nil)
  }

  @Test func `encoding a required argument that was never set is an error`() {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Forecast()) }
  }

  @Test func `two parameters are equal when their values are`() {
    let one = Parameter(wrappedValue: 3, "one", in: 1...4)
    let other = Parameter(wrappedValue: 3, "other")
    #expect(one == other && one.hashValue == other.hashValue)
  }

  // MARK: Nesting

  struct Route: ToolArguments {
    struct Stop: ToolArguments {
      @Parameter("Name of the place") var name: String
      @Parameter("Minutes to stay") var minutes: Int = 10
      var quiet = true
    }
    @Parameter("Where to stop", count: 1...) var stops: [Stop]
    @Parameter("Where to start") var start: Stop?
    @Parameter("By name") var named: [String: Stop] = [:]
  }

  @Test func `nested arguments have their own descriptions and defaults`() throws {
    let schema = try Route.jsonSchema()
    let stop = schema.document["properties"]?["stops"]?["items"]
    #expect(stop?["properties"]?["minutes"] == ["type": "integer", "description": "Minutes to stay", "default": 10])
    #expect(stop?["required"] == ["name"])
    let value: JSONValue = ["stops": [["name": "A"], ["name": "B", "minutes": 5]], "named": ["c": ["name": "C"]]]
    #expect(schema.validate(value) == [])
    let route = try Route.decode(from: value)
    #expect(route.stops.map(\.minutes) == [10, 5])
    #expect(route.named["c"]?.minutes == 10 && route.named["c"]?.quiet == true)
    #expect(route.start == nil)
  }

  struct Folder: ToolArguments {
    @Parameter("Its name") var name: String
    @Parameter("Folders inside") var folders: [Folder] = []
  }

  @Test func `arguments that hold themselves are filled at every depth`() throws {
    let folder = try Folder.decode(from: ["name": "a", "folders": [["name": "b", "folders": [["name": "c"]]]]])
    #expect(folder.folders.first?.folders.first?.folders.isEmpty == true)
    #expect(try Folder.jsonSchema().document["properties"]?["folders"]?["items"] == ["$ref": "#"])
  }

  // MARK: Odd templates

  struct Stamp: ToolArguments {
    @Parameter("An id") var id: UUID = UUID()
    var serial = UUID()
  }

  @Test func `a default that differs each time fills in but stays out of the schema`() throws {
    let document = try Stamp.jsonSchema().document
    #expect(document["properties"]?["id"] == ["type": "string", "format": "uuid", "description": "An id"])
    #expect(document["required"] == nil)
    let first = try Stamp.decode(from: [:])
    let second = try Stamp.decode(from: [:])
    #expect(first.id != second.id && first.serial != second.serial)
  }

  struct Nothing: ToolArguments {}

  @Test func `a tool without arguments has an empty object`() throws {
    #expect(try Nothing.jsonSchema().document == ["type": "object", "properties": [:], "additionalProperties": false])
    _ = try Nothing.decode(from: [:])
  }

  struct BadDefault: ToolArguments {
    @Parameter("Days", in: 1...14) var days: Int = 20
  }
  struct BadExample: ToolArguments {
    @Parameter("Days", oneOf: [1, 2], examples: [3]) var days: Int
  }
  struct BadPattern: ToolArguments {
    @Parameter("Word", pattern: "(") var word: String
  }

  @Test func `impossible parameters are found when the schema is made`() {
    #expect { try BadDefault.jsonSchema() } throws: { "\($0)".contains("must be at most 14, got 20") }
    #expect { try BadExample.jsonSchema() } throws: { "\($0)".contains("got 3") }
    #expect { try BadPattern.jsonSchema() } throws: { ($0 as? JSONSchemaError)?.code == .invalidPattern }
  }
}
