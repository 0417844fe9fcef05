import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct RequestBodyTests {
  @Test(
    arguments: [
      ([:], [:], [:], #"{"list":[1,2]}"#),
      (["a": 1], ["b": 2], [:], #"{"a":1,"list":[1,2],"b":2}"#),
      (["a": 1], ["b": 2], ["a": 3, "b": 4, "c": 5], #"{"a":3,"list":[1,2],"b":4,"c":5}"#),
    ] as [(JSONObject, JSONObject, JSONObject, String)])
  func `further members replace those before and behind the list, and none stands twice`(
    _ head: JSONObject, _ tail: JSONObject, _ extra: JSONObject, _ expected: String
  ) {
    let body = RequestBody.join(
      head: head, list: "list", of: [Array("1".utf8), Array("2".utf8)], tail: tail, extra: extra)
    #expect(String(decoding: body.joined(), as: UTF8.self) == expected)
  }
}
