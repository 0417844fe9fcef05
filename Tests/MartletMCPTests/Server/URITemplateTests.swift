import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct URITemplateTests {
  @Test(arguments: [
    ("test://t/{id}/data", "test://t/12/data", ["id": "12"]),
    ("test://t/{id}/data", "test://t/a%2Fb/data", ["id": "a/b"]),
    ("a:{x}-{y}", "a:1-2-3", ["x": "1", "y": "2-3"]), ("file:///{+path}", "file:///a/b", ["path": "a/b"]),
    ("a:{x*}/end", "a:1/2/end", ["x": "1/2"]), ("plain:x", "plain:x", [:]), ("{all}", "xyz", ["all": "xyz"]),
    ("a:{x}{y}", "a:12", ["x": "1", "y": "2"]), ("a:{x}", "a:1,2", ["x": "1,2"]),
    ("a:{x,y}/", "a:1,2/", ["x": "1", "y": "2"]), ("a:{x,y}/", "a:1/", ["x": "1"]),
    ("a:{+x}/b/{y}", "a:1/b/2/b/3", ["x": "1/b/2", "y": "3"]), ("a:{+x,y}", "a:1/2,3", ["x": "1/2", "y": "3"]),
    ("a:b{/x}", "a:b/1", ["x": "1"]), ("a:b{/x}", "a:b", [:]), ("a:b{/x,y}", "a:b/1/2", ["x": "1", "y": "2"]),
    ("a:b{/x*}/c", "a:b/1/2/c", ["x": "1/2"]), ("a:b{/x*}/c", "a:b/c", [:]), ("a:b{/x}/c", "a:b/%2Fd/c", ["x": "/d"]),
    ("a:b{?x,y}", "a:b?x=1&y=2", ["x": "1", "y": "2"]), ("a:b{?x,y}", "a:b?y=2&x=1", ["x": "1", "y": "2"]),
    ("a:b{?x,y}", "a:b?y=2", ["y": "2"]), ("a:b{?x,y}", "a:b", [:]), ("a:b{?x}", "a:b?x=", ["x": ""]),
    ("a:b{?x}", "a:b?x=%26%3D+1", ["x": "&=+1"]), ("a:b?fixed=1{&x}", "a:b?fixed=1&x=/2", ["x": "/2"]),
    ("a:b?fixed=1{&x}", "a:b?fixed=1", [:]), ("a:b{?x}{&y}", "a:b?y=1", ["y": "1"]),
    ("a:b{?x*}", "a:b?x=1&x=2", ["x": "1,2"]), ("a:b{;x,y}", "a:b;x=1;y", ["x": "1", "y": ""]),
    ("a:b{#x}", "a:b#1/2", ["x": "1/2"]), ("a:b{.x}", "a:b.md", ["x": "md"]),
    ("a:{x}{.y}", "a:b.md", ["x": "b", "y": "md"]),
    ("a:{x:3}{y}", "a:é2", ["x": "é", "y": "2"]), ("a:{x:1}", "a:%C3%A9", ["x": "é"]),
    ("a:{x}{?y}", "a:1?y=2", ["x": "1", "y": "2"]),
    ("file:///{dir}/{+rest}{?v}", "file:///a/b/c?v=1", ["dir": "a", "rest": "b/c", "v": "1"]),
    ("{", "{", [:]), ("a}b", "a}b", [:]), ("a:{x}", "a:%zz%", ["x": "%zz%"]),
  ])
  func `an address gives what the variables stand for`(_ template: String, _ uri: String, _ values: [String: String]) {
    #expect(URITemplate(template).match(uri) == values)
  }

  @Test(arguments: [
    ("test://t/{id}/data", "test://t//data"), ("test://t/{id}/data", "test://t/a/b/data"),
    ("test://t/{id}/data", "test://t/12/data/more"), ("test://t/{id}/data", "test://x/12/data"), ("a:{x}", "a:"),
    ("a:{x}-{y}", "a:1"), ("plain:x", "plain:xy"), ("plain:x", "plain:"), ("a:{x}", "a:1?y=2"), ("a:{x}", "a:1#2"),
    ("a:b{?x}", "a:b?z=1"), ("a:b{?x}", "a:b?x=1&x=2"), ("a:b{?x}", "a:b&x=1"), ("a:b{/x}", "a:b/1/2"),
    ("a:b{/x}", "a:bc"), ("a:{x:1}", "a:12"), ("a:{x,y}", "a:1,2,3"), ("a:b{.x}", "a:b.1.2"),
  ])
  func `an address that does not fit is none of the family`(_ template: String, _ uri: String) {
    #expect(URITemplate(template).match(uri) == nil)
  }

  @Test func `an address that almost fits in very many ways is refused in time`() {
    let template = URITemplate(String(repeating: "{+a}/", count: 12) + "end")
    #expect(template.match(String(repeating: "/", count: 4_000)) == nil)
    #expect(template.match(String(repeating: "/", count: 100_000) + "end") == nil)
  }

  @Test func `whatever template and address, matching comes to an end and gives only named variables`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let pieces = ["{", "}", "x", "y", "+", "*", "?", "&", "/", ",", ":1", ";", "#", ".", "=", "%2F", "é", "a:", "{x}"]
    func text(_ length: Int) -> String {
      (0..<Int.random(in: 0...length, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
    }
    for _ in 0..<3_000 {
      let (template, uri) = (text(10), text(12))
      guard let values = URITemplate(template).match(uri) else { continue }
      for name in values.keys { #expect(template.contains(name), "\(template) \(uri), seed \(seed)") }
    }
  }
}
