import MartletHTTP
import Testing

@Suite struct NDJSONDecoderTests {
  private func lines(_ chunks: [[UInt8]]) throws -> (lines: [String], last: String?) {
    var decoder = NDJSONDecoder()
    var lines: [String] = []
    for chunk in chunks {
      decoder.append(chunk)
      while let line = try decoder.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return (lines, try decoder.finish().map { String(decoding: $0, as: UTF8.self) })
  }

  @Test(
    arguments: [
      ("", [], nil),
      ("{\"a\":1}\n{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"], nil),
      ("{\"a\":1}\r\n\r\n \n\n{\"é🦜\u{2028}\":2}\r\n", ["{\"a\":1}", "{\"é🦜\u{2028}\":2}"], nil),
      ("{\"a\":\r1}\n{\"b\":2}", ["{\"a\":\r1}"], "{\"b\":2}"),
      ("{}\n\r", ["{}"], nil),
    ] as [(String, [String], String?)])
  func `lines come out the same, whole and cut at every byte`(_ stream: String, _ expected: [String], _ last: String?)
    throws
  {
    let bytes = Array(stream.utf8)
    for cut in 0...bytes.count {
      let result = try lines([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(result.lines == expected, "cut at \(cut)")
      #expect(result.last == last, "cut at \(cut)")
    }
    let result = try lines(bytes.map { [$0] })
    #expect(result.lines == expected)
    #expect(result.last == last)
  }

  @Test func `a line over the limit is an error, complete or not`() {
    for stream in ["0123456789\n", "0123456789"] {
      var decoder = NDJSONDecoder(limit: 9)
      decoder.append(Array(stream.utf8))
      let error = #expect(throws: HTTPError.self) { try decoder.next() }
      #expect(error?.code == .tooLarge)
    }
  }
}
