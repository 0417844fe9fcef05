import MartletJSON
import Testing

@Suite struct JSONValueTests {
  @Test func `reading and writing gives the same text`() throws {
    let text = #"{"b":[1,2.50,-0,1e400,true,false,null],"a":"\"\\\n\u0001é😀\u2028/"}"#.replacing(
      #"\u2028"#, with: "\u{2028}")
    #expect(try JSONValue(parsing: text).text() == text)
  }
}
