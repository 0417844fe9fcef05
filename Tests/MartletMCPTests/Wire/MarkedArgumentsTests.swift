import MartletJSON
import Testing

@testable import MartletMCP

@Suite struct MarkedArgumentsTests {
  private static func schema(_ properties: JSONValue) -> JSONValue { ["type": "object", "properties": properties] }

  @Test func `marked arguments become headers, wherever properties lead`() throws {
    let schema = Self.schema([
      "region": ["type": "string", "x-mcp-header": "Region"],
      "plain": ["type": "string"],
      "page": ["type": "integer", "x-mcp-header": "Page"],
      "options": ["type": "object", "properties": ["dry": ["type": "boolean", "x-mcp-header": "Dry-Run"]]],
      "x-mcp-header": ["type": "string"],
    ])
    let marked = try MarkedArguments.of(schema).get()
    let headers = try marked.headers(for: ["region": "eu", "page": 3.0, "options": ["dry": false], "plain": "x"])
    #expect(headers.map(\.0) == ["Mcp-Param-Region", "Mcp-Param-Page", "Mcp-Param-Dry-Run"])
    #expect(headers.map(\.1) == ["eu", "3", "false"])
    #expect(try marked.headers(for: ["region": nil]).isEmpty)
  }

  @Test(
    arguments: [
      schema(["a": ["type": "string", "x-mcp-header": ""]]),
      schema(["a": ["type": "string", "x-mcp-header": 3]]),
      schema(["a": ["type": "string", "x-mcp-header": "My Header"]]),
      schema(["a": ["type": "string", "x-mcp-header": "A:B"]]),
      schema(["a": ["type": "string", "x-mcp-header": "A\r\nB"]]),
      schema(["a": ["type": "string", "x-mcp-header": "Größe"]]),
      schema(["a": ["type": "number", "x-mcp-header": "A"]]),
      schema(["a": ["type": "object", "x-mcp-header": "A"]]),
      schema(["a": ["type": "array", "x-mcp-header": "A"]]),
      schema(["a": ["x-mcp-header": "A"]]),
      schema(["a": ["type": "string", "x-mcp-header": "A"], "b": ["type": "string", "x-mcp-header": "a"]]),
      schema(["a": ["type": "array", "items": ["type": "string", "x-mcp-header": "A"]]]),
      ["type": "object", "anyOf": [["properties": ["a": ["type": "string", "x-mcp-header": "A"]]]]],
      ["type": "object", "$defs": ["d": ["type": "string", "x-mcp-header": "A"]]],
      ["type": "object", "x-mcp-header": "A"],
    ] as [JSONValue])
  func `a mark that cannot be kept is a fault`(_ schema: JSONValue) {
    #expect(throws: MarkedArguments.Fault.self) { try MarkedArguments.of(schema).get() }
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("with inner blanks", "with inner blanks"), (" outer ", "=?base64?IG91dGVyIA==?="),
    ("tab\t", "=?base64?dGFiCQ==?="), ("line\r\nbreak", "=?base64?bGluZQ0KYnJlYWs=?="),
    ("日本", "=?base64?5pel5pys?="), ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
  ])
  func `any text survives a header`(_ text: String, _ header: String) {
    #expect(HeaderText.encoded(text) == header)
    #expect(HeaderText.decoded(header) == text)
  }

  @Test(arguments: ["=?base64?!!!?=", "=?base64?5pel5py?=", "=?base64?/w==?="])
  func `a header that is marked as encoded and is not means nothing`(_ header: String) {
    #expect(HeaderText.decoded(header) == nil)
  }

  @Test func `an integer that JSON readers disagree about is not sent`() throws {
    let marked = try MarkedArguments.of(Self.schema(["n": ["type": "integer", "x-mcp-header": "N"]])).get()
    #expect(throws: MCPError.self) { try marked.headers(for: ["n": 9_007_199_254_740_992]) }
    #expect(try marked.headers(for: ["n": 9_007_199_254_740_991]).map(\.1) == ["9007199254740991"])
  }
}
