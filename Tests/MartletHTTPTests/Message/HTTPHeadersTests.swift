import MartletHTTP
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `names compare without case, values with it, order counts`() {
    let headers: HTTPHeaders = ["A-b": "1", "c": "X"]
    #expect(headers["a-B"] == "1")
    #expect(headers == ["a-B": "1", "C": "X"])
    #expect(headers.hashValue == (["a-B": "1", "C": "X"] as HTTPHeaders).hashValue)
    #expect(headers != ["A-b": "1", "c": "x"])
    #expect(headers != ["c": "X", "A-b": "1"])
    #expect(headers["É"] == nil)
  }

  @Test func `setting replaces the first, removes the others and keeps the place`() {
    var headers: HTTPHeaders = ["a": "1", "B": "2", "A": "3", "b": "4", "a": "5"]
    headers["A"] = "6"
    #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=6", "B=2", "b=4"])
    headers["c"] = "7"
    headers["b"] = nil
    #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=6", "c=7"])
    headers.add("C", "8")
    #expect(headers.values(for: "c") == ["7", "8"])
    headers.remove(["A", "x"])
    #expect(headers.map { "\($0.name)=\($0.value)" } == ["c=7", "C=8"])
  }

  @Test(
    arguments: [
      (nil, nil), ("text/event-stream", "text/event-stream"), ("Text/Event-Stream; charset=utf-8", "text/event-stream"),
      (" application/json ;x", "application/json"), ("", ""),
    ] as [(String?, String?)])
  func `the media type is lower case without parameters`(_ value: String?, _ expected: String?) {
    var response = HTTPResponse(status: 200)
    response.headers["Content-Type"] = value
    #expect(response.mediaType == expected)
  }
}
