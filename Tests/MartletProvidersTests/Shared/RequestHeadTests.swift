import Martlet
import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct RequestHeadTests {
  @Test(
    arguments: [
      ([:], [:], [:], #"{"list":[1,2]}"#),
      (["a": 1], ["b": 2], [:], #"{"a":1,"list":[1,2],"b":2}"#),
      (["a": 1], ["b": 2], ["a": 3, "b": 4, "c": 5], #"{"a":3,"list":[1,2],"b":4,"c":5}"#),
    ] as [(JSONObject, JSONObject, JSONObject, String)])
  func `further members replace those before and behind the list, and none stands twice`(
    _ head: JSONObject, _ tail: JSONObject, _ extra: JSONObject, _ expected: String
  ) {
    let body = RequestHead(head, list: "list", extra: extra).body(
      EncodedItems([Array("1".utf8), Array("2".utf8)]), tail: tail)
    #expect(String(decoding: body.joined(), as: UTF8.self) == expected)
  }

  @Test func `items are joined by commas whatever their lengths, and long ones are not copied`() throws {
    let lengths = [1, 2, 70_000, 3, 65_530, 4, 65_536, 65_535, 5]
    let items = lengths.map { [UInt8](repeating: UInt8(ascii: "7"), count: $0) }
    let encoded = EncodedItems(items)
    #expect(Array(encoded.pieces.joined()) == Array(items.joined(separator: [UInt8(ascii: ",")])))
    #expect(encoded.pieces.contains(items[2]))
    #expect(EncodedItems([]).isEmpty)
  }

  @Test func `a beginning is made once for a conversation, and anew for other tools`() {
    let heads = RequestHeads()
    var made = 0
    func head(_ tools: [ToolDefinition]) {
      _ = heads.head(tools: tools) {
        made += 1
        return RequestHead([:], list: "list")
      }
    }
    let tools = ["a", "b"].map { ToolDefinition(name: $0, description: "", parameters: [:]) }
    let request = ModelRequest(tools: tools, messages: [])
    for _ in 1...3 { head(request.tools) }
    #expect(made == 1)
    head(tools.map { $0 })
    #expect(made == 2)
    head([])
    head(tools)
    #expect(made == 3)
  }

  @Test func `what was kept longest without use goes first`() {
    let heads = RequestHeads()
    let lists = (0..<17).map { [ToolDefinition(name: "t\($0)", description: "", parameters: [:])] }
    var made: [String] = []
    func head(_ index: Int) {
      _ = heads.head(tools: lists[index]) {
        made.append(lists[index][0].name)
        return RequestHead([:], list: "list")
      }
    }
    for index in 0..<16 { head(index) }
    head(0)
    head(16)
    made = []
    head(0)
    head(16)
    head(2)
    #expect(made.isEmpty)
    head(1)
    #expect(made == ["t1"])
  }
}
