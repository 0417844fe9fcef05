import MartletJSON
import Testing

@testable import MartletLocal

@Suite struct FloatFormTests {
  @Test(arguments: [
    (#"{"type":"number"}"#, "3", "3.0"), (#"{"type":"number"}"#, "-3", "-3.0"), (#"{"type":"number"}"#, "3.5", "3.5"),
    (#"{"type":"number"}"#, "3e2", "3e2"), (#"{"type":"integer"}"#, "3", "3"), ("true", "3", "3"),
    (#"{"type":"number","enum":[1,2]}"#, "1", "1"),
    (#"{"type":"array","items":{"type":"number"}}"#, "[1,2.5,-0]", "[1.0,2.5,-0.0]"),
    (#"{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"number"}}"#, "[1,2]", "[1,2.0]"),
    (#"{"properties":{"a":{"type":"number"},"b":{}}}"#, #"{"a":1,"b":1}"#, #"{"a":1.0,"b":1}"#),
  ])
  func `whole numbers of type number get a fraction, nothing else changes`(
    _ schema: String, _ value: String, _ expected: String
  ) throws {
    let result = try FloatForm.apply(JSONValue(parsing: schema), to: JSONValue(parsing: value))
    #expect(result.text() == expected)
    #expect(try result == JSONValue(parsing: value))
  }
}
