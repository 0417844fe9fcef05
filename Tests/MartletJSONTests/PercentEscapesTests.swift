import Testing

@testable import MartletJSON

@Suite struct PercentEscapesTests {
  @Test(arguments: [("", ""), ("plain", "plain"), ("a%20b%2fc", "a b/c"), ("%C3%A9+", "é+"), ("%25", "%")])
  func `escapes stand for their bytes`(_ text: String, _ decoded: String) {
    #expect(PercentEscapes.decoded(text) == decoded)
  }

  @Test(arguments: ["%", "%2", "a%2", "%zz", "%+f", "%-1", "%ff", "%C3"])
  func `what is broken or no text is refused`(_ text: String) {
    #expect(PercentEscapes.decoded(text) == nil)
  }
}
