import Martlet
import MartletJSON
import MartletTesting
import Testing

@testable import MartletTools

@Suite struct KeptResultTests {
  /// Says a fixed text.
  private struct Say: Tool {
    let text: String
    let name = "say"
    let description = "Says it."
    let parameters: JSONValue = ["type": "object", "properties": [:]]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text(text) }
  }

  /// The result of `say`, and then what `read_file` gives when it is asked as the notice says, until nothing is left out.
  private func results(of text: String, limit: Int) async throws -> (cut: String, parts: [String]) {
    let call = ToolCall(id: "call_1", name: "say", arguments: [:])
    var script: [ScriptedModel.Turn] = [.calls([call]), .text("Done.")]
    var agent = Agent(
      model: ScriptedModel(script), tools: try ToolRegistry([Say(text: text), ReadFileTool()]),
      configuration: AgentConfiguration(budget: Budget(iterations: 1_000), toolResultLimit: limit))
    _ = try await agent.send("Go")
    let cut = try #require(await agent.messages.flatMap(\.toolResults).last).text
    guard let notice = cut.firstMatch(of: /lines (\d+) to (\d+) of \d+ left out: read_file gives them/) else {
      return (cut, [])
    }
    // The same again, with calls that read on.
    let last = try #require(Int(notice.2))
    var offset = try #require(Int(notice.1))
    var parts: [String] = []
    while offset <= last {
      script.insert(
        .calls([
          ToolCall(
            id: "call_\(parts.count + 2)", name: "read_file",
            arguments: ["path": "result:call_1", "offset": JSONValue(offset), "limit": JSONValue(last - offset + 1)])
        ]), at: script.count - 1)
      agent = Agent(
        model: ScriptedModel(script), tools: try ToolRegistry([Say(text: text), ReadFileTool()]),
        configuration: AgentConfiguration(budget: Budget(iterations: 1_000), toolResultLimit: limit))
      _ = try await agent.send("Go")
      let part = try #require(await agent.messages.flatMap(\.toolResults).last).text
      parts.append(part)
      guard let next = part.firstMatch(of: /continue with offset (\d+)\]$/) else { break }
      offset = try #require(Int(next.1))
    }
    return (cut, parts)
  }

  private func withoutNotice(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("[lines ") }
  }

  @Test func `what was cut from a result can be read to its last line`() async throws {
    let lines = (1...700).map { "line number \($0) é" }
    let (cut, parts) = try await results(of: lines.joined(separator: "\n"), limit: 4_096)
    #expect(cut.utf8.count <= 4_096)
    #expect(cut.hasPrefix("line number 1 é\n") && cut.hasSuffix("\nline number 700 é"))
    #expect(parts.count > 1)
    #expect(parts.allSatisfy { $0.utf8.count <= 4_096 && !$0.contains("left out") })
    let pieces = cut.split(separator: "\n", omittingEmptySubsequences: false)
    let gap = try #require(pieces.firstIndex { $0.contains("left out") })
    #expect(pieces[..<gap] + parts.flatMap(withoutNotice) + pieces[(gap + 1)...] == lines.map { $0[...] })
  }

  @Test func `a single line of any length is read in pieces that break no character`() async throws {
    let text = String(repeating: "漢字", count: 6_000)
    let (cut, parts) = try await results(of: text, limit: 8_192)
    let pieces = cut.split(separator: "\n")
    let gap = try #require(pieces.firstIndex { $0.contains("left out") })
    #expect((pieces[..<gap] + parts.flatMap(withoutNotice) + pieces[(gap + 1)...]).joined() == text)
  }

  @Test func `a result that fits is left alone`() async throws {
    let (cut, _) = try await results(of: "short", limit: 4_096)
    #expect(cut == "short")
  }

  @Test func `without a tool to read it the notice asks for less`() async throws {
    let agent = Agent(
      model: ScriptedModel([.calls([ToolCall(id: "c", name: "say", arguments: [:])]), .text("Done.")]),
      tools: try ToolRegistry([Say(text: String(repeating: "x\n", count: 5_000))]),
      configuration: AgentConfiguration(toolResultLimit: 1_000))
    _ = try await agent.send("Go")
    let text = try #require(await agent.messages.flatMap(\.toolResults).last).text
    #expect(text.utf8.count <= 1_000)
    #expect(text.contains("left out: ask for less at a time"))
    #expect(!text.contains("result:"))
  }

  @Test func `what is not kept is an error that says so`() async throws {
    let output = try await ReadFileTool().call(["path": "result:call_9"], ToolContext())
    #expect(output.code?.rawValue == "NOT_FOUND")
    let kept = ToolContext(results: { _ in Array("a\nb".utf8) })
    #expect(try await ReadFileTool().call(["path": "result:call_9", "offset": 2], kept).text == "b")
    #expect(try await ReadFileTool().call(["path": "result:call_9", "offset": 3], kept).text.contains("2 lines"))
  }
}
