import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `finding the line of a setting` {
  static let text = """
    {
      "model": "a\\"b{",
      "list": [1, {"x": 2}, "}"],
      "permissions": {
        "allow": ["x"],

        "deny": "y"
      },
      "last": null
    }
    """

  @Test(
    arguments: [
      (["model"], 2), (["list"], 3), (["permissions"], 4), (["permissions", "allow"], 5), (["permissions", "deny"], 7),
      (["last"], 9), (["none"], nil), (["model", "x"], nil), (["permissions", "x"], nil),
    ] as [([String], Int?)])
  func `each key has its line`(_ path: [String], _ line: Int?) throws {
    _ = try JSONValue(parsing: Self.text)
    #expect(JSONLocator(Array(Self.text.utf8)).line(of: path) == line)
  }

  @Test func `text that is cut anywhere does not make it trap`() {
    let bytes = Array(Self.text.utf8)
    for end in 0..<bytes.count {
      _ = JSONLocator(Array(bytes[..<end])).line(of: ["permissions", "deny"])
    }
  }
}
