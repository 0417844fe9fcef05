import MartletJSON
import MartletMCP
import Testing

@testable import MartletCLI

@Suite(.timeLimit(.minutes(1))) struct TerminalElicitorTests {
  private func answer(
    _ request: MCPElicitationRequest, typing text: String
  ) async throws -> (result: MCPElicitationResult, screen: String) {
    let pipe = try PipedInput()
    defer { pipe.finish() }
    let screen = MemorySink()
    try pipe.type(text)
    let elicitor = TerminalElicitor(terminal: Terminal(input: pipe.input, output: screen))
    return (try await elicitor.answer(request, of: "shop\u{1B}[2J"), screen.text)
  }

  private static let form = MCPElicitationRequest(
    message: "Who are you?",
    schema: [
      "type": "object",
      "properties": [
        "name": ["type": "string", "title": "Your name"],
        "age": ["type": "integer", "minimum": 0],
        "color": ["type": "string", "enum": ["r", "g"], "enumNames": ["red", "green"]],
        "tags": [
          "type": "array", "items": ["anyOf": [["const": "a", "title": "Ay"], ["const": "b", "title": "Be"]]],
        ],
        "news": ["type": "boolean", "default": false],
        "note": ["type": "string"],
      ],
      "required": ["name", "age"],
    ])

  @Test func `a form is filled in field by field, and checked`() async throws {
    let typed = "y\n\nAda\nold\n-1\n36\npink\nred\nAy, b\n\n\n"
    let (result, screen) = try await answer(Self.form, typing: typed)
    #expect(result == .accept(["name": "Ada", "age": 36, "color": "r", "tags": ["a", "b"], "news": false]))
    #expect(screen.contains("The MCP server shop asks: Who are you?"))
    #expect(screen.contains("Never type a password"))
    #expect(screen.contains("color [red, green], may be left out"))
  }

  @Test(arguments: [("n\n", MCPElicitationResult.decline)])
  func `no is no`(_ typed: String, _ expected: MCPElicitationResult) async throws {
    #expect(try await answer(Self.form, typing: typed).result == expected)
  }

  @Test func `a page is shown in full and opened by nobody but the user`() async throws {
    let request = MCPElicitationRequest(message: "Pay", url: "https://pay.example/?a=1&b=2")
    let (result, screen) = try await answer(request, typing: "y\n")
    #expect(result == .accept)
    #expect(screen.contains("  https://pay.example/?a=1&b=2\n"))
    #expect(try await answer(request, typing: "n\n").result == .decline)
    let odd = MCPElicitationRequest(message: "Run", url: "file:///etc/passwd")
    #expect(try await answer(odd, typing: "").result == .decline)
  }
}
