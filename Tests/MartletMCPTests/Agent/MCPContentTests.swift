import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite(.hangLimit) struct MCPContentTests {
  @Test func `text, media, resources and data of a result are kept in order`() throws {
    let result = MCPCallResult(
      [
        .text("a"), .image(base64: "AA==", mimeType: "image/png"), .audio(base64: "BB==", mimeType: "audio/wav"),
        .resource(MCPResourceContents(uri: "x://t", text: "inside")),
        .resource(MCPResourceContents(uri: "x://p", base64: "CC==", mimeType: "application/pdf")),
        .resource(MCPResourceContents(uri: "x://z", base64: "DDDD", mimeType: "application/zip")),
        .link(to: MCPResource(uri: "x://l", name: "link")), MCPContent(fields: ["type": "hologram", "x": 1]),
      ], structured: ["n": 1])
    let output = ToolOutput(result)
    #expect(output.structured == ["n": 1])
    #expect(!output.isError)
    #expect(
      output.content == [
        .text("a"), .media(Media(kind: .image, mimeType: "image/png", source: .data(base64: "AA=="))),
        .media(Media(kind: .audio, mimeType: "audio/wav", source: .data(base64: "BB=="))),
        .text("[resource x://t]\ninside"),
        .media(Media(kind: .file, mimeType: "application/pdf", name: "x://p", source: .data(base64: "CC=="))),
        .text("[resource x://z, application/zip, 3 bytes]"), .text("[resource x://l, link]"),
        .text(#"{"type":"hologram","x":1}"#),
      ])
    #expect(ToolOutput(MCPCallResult(structured: ["n": 1])).content == [.text(#"{"n":1}"#)])
    let failure = ToolOutput(MCPCallResult.failure("no"))
    #expect(failure.isError && failure.code == .toolFailed)
  }

  private struct Say: Tool {
    let name: String
    var requiresPermission = false
    var effect = ToolEffect.once
    let description = "Says something."
    let parameters: JSONValue = [
      "type": "object", "properties": ["n": ["type": "integer"]], "required": ["n"],
    ]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      for step in 1...3 { context.progress(Double(step), total: 3) }
      return .structured(["n": arguments["n"] ?? .null], text: "said")
    }
  }

  @Test func `our tools are offered with their manners, and only what is allowed runs`() async throws {
    let server = MCPServer(MCPImplementation(name: "m", version: "1"))
    let tools = [
      Say(name: "free", effect: .readOnly), Say(name: "asks", requiresPermission: true),
      Say(name: "ruled", requiresPermission: true), Say(name: "denied"),
    ]
    let policy = ApprovalPolicy(
      rules: PermissionRules(
        allow: [try PermissionRule("ruled")], deny: [try PermissionRule("denied")]))
    server.register(try tools.map { try AnyTool($0) }, policy: policy, workingDirectory: "/", advice: "; use --allow")
    let client = server.client(configuration: .init(timeouts: .patient))
    let listed = try await client.tools()
    #expect(listed.map(\.name) == ["free", "asks", "ruled", "denied"])
    #expect(listed[0].annotations?.isReadOnly == true)
    #expect(listed[1].annotations?.isDestructive == true)
    let steps = Locked<[Double]>([])
    let options = MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step.progress) } })
    let result = try await client.call("free", ["n": 1], options: options)
    #expect(result.text == "said")
    #expect(result.structuredContent == ["n": 1])
    #expect(steps.withLock { $0 } == [1, 2, 3])
    let asked = try await client.call("asks", ["n": 1])
    #expect(asked.isError && asked.text == "asks needs permission, and nobody is here to give it; use --allow.")
    #expect(try await !client.call("ruled", ["n": 1]).isError)
    let denied = try await client.call("denied", ["n": 1])
    #expect(denied.isError && denied.text.contains("deny denied"))
    #expect(try await client.call("free", ["n": "x"]).isError)
    await client.close()
    await server.close()
  }
}
