import Testing

@testable import MartletMCP

@Suite struct URITemplateTests {
  @Test(arguments: [
    ("test://t/{id}/data", "test://t/12/data", ["id": "12"]),
    ("test://t/{id}/data", "test://t/a%2Fb/data", ["id": "a/b"]),
    ("a:{x}-{y}", "a:1-2-3", ["x": "1", "y": "2-3"]), ("file:///{+path}", "file:///a/b", ["path": "a/b"]),
    ("a:{x*}/end", "a:1/2/end", ["x": "1/2"]), ("plain:x", "plain:x", [:]), ("{all}", "xyz", ["all": "xyz"]),
  ])
  func `an address gives what the variables stand for`(_ template: String, _ uri: String, _ values: [String: String]) {
    #expect(URITemplate(template).match(uri) == values)
  }

  @Test(arguments: [
    ("test://t/{id}/data", "test://t//data"), ("test://t/{id}/data", "test://t/a/b/data"),
    ("test://t/{id}/data", "test://t/12/data/more"), ("test://t/{id}/data", "test://x/12/data"), ("a:{x}", "a:"),
    ("a:{x}-{y}", "a:1"), ("plain:x", "plain:xy"), ("plain:x", "plain:"),
  ])
  func `an address that does not fit is none of the family`(_ template: String, _ uri: String) {
    #expect(URITemplate(template).match(uri) == nil)
  }
}
