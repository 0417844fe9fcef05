import Foundation
import MartletJSON
import Testing

@testable import MartletCLI

/// Real models, as a user runs them. The small one is for what must work with any; only the standard one is asked to be right.
@Suite(.serialized) struct `a model on this device` {
  private static func events(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  @Test(.enabled(if: OnDevice.small != nil, OnDevice.missing))
  func `answers, and goes on where the conversation was`() async throws {
    let program = try Program()
    let model = ["--model", "local:\(try #require(OnDevice.small))", "--no-tools", "--max-tokens", "12"]
    let first = try await program.run(["run", "Say hello."] + model + ["--output", "jsonl"])
    #expect([0, 1].contains(first.status), "\(first.error)")  // its limit may come before its end
    let events = try Self.events(first.output)
    #expect(events.contains { $0["type"] == "text" })
    let figures = try #require(events.last { $0["type"] == "metrics" })
    #expect(figures["finished"] == true)
    #expect((figures["generated_tokens"]?.intValue ?? 0) > 0)
    let second = try await program.run(["run", "And again."] + model + ["--continue", "--output", "json"])
    #expect(try JSONValue(parsing: second.output)["session"] == events.first?["session"])
  }

  @Test(.enabled(if: OnDevice.small != nil, OnDevice.missing))
  func `gives an answer that fits its schema`() async throws {
    let program = try Program()
    try program.home.write(
      "s.json", #"{"type":"array","items":{"enum":["red","green"]},"minItems":1,"maxItems":2}"#)
    let outcome = try await program.run(
      ["run", "Which colours?", "--model", "local:\(try #require(OnDevice.small))", "--no-tools", "--schema", "s.json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let colours = try #require(try JSONValue(parsing: outcome.output).arrayValue)
    #expect((1...2).contains(colours.count))
    #expect(colours.allSatisfy { $0 == "red" || $0 == "green" })
  }

  @Test(.enabled(if: OnDevice.small != nil, OnDevice.missing), arguments: ["picture.png", "paper.pdf"])
  func `says that it reads text only, and the session goes on`(_ name: String) async throws {
    let program = try Program()
    let bytes: [UInt8] =
      name.hasSuffix(".png") ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0] : Array("%PDF-1.7\n".utf8)
    try program.home.write(name, bytes: bytes)
    let model = ["--model", "local:\(try #require(OnDevice.small))", "--no-tools", "--max-tokens", "4"]
    let outcome = try await program.run(["run", "What is this?", "--file", name] + model)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    #expect(outcome.error.contains("reads text only"), "\(outcome.error)")
    let next = try await program.run(["run", "Say hello."] + model + ["--continue", "--output", "json"])
    #expect(try JSONValue(parsing: next.output)["answer"]?.stringValue?.isEmpty == false, "\(next.error)")
  }

  @Test(.enabled(if: OnDevice.small != nil, OnDevice.missing))
  func `takes one turn for a request file and runs no tool`() async throws {
    let program = try Program()
    let request = """
      {"messages":[{"role":"user","content":"Add 2 and 3."}],"tool_choice":"required","tools":[{"type":"function",
      "function":{"name":"add","description":"Adds.","parameters":{"type":"object","required":["a","b"],
      "properties":{"a":{"type":"integer","maximum":9,"minimum":0},"b":{"type":"integer","maximum":9,"minimum":0}}}}}]}
      """
    let outcome = try await program.run(
      ["models", "turn", "-", "--model", "local:\(try #require(OnDevice.small))"], input: request)
    #expect(outcome.status == 0, "\(outcome.error)")
    let object = try #require(try JSONValue(parsing: outcome.output).objectValue)
    #expect(Array(object.keys) == ["text", "calls", "usage"])
    #expect(object["calls"]?[0]?[0] == "add")
    #expect(object["calls"]?[0]?[1]?["a"]?.intValue != nil)
  }

  @Test(.enabled(if: OnDevice.standard != nil, OnDevice.missing))
  func `answers the question of the README with the tools it needs`() async throws {
    let program = try Program()
    let outcome = try await program.run([
      "run", "What is 23*4, and what day of the week is it in Tokyo?", "--output", "jsonl", "--model",
      "local:\(try #require(OnDevice.standard))",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    let events = try Self.events(outcome.output)
    let finished = events.filter { $0["type"] == "tool_finished" && $0["result"]?["is_error"] == false }
    #expect(Set(finished.compactMap { $0["name"]?.stringValue }) == ["calculator", "currentDateTime"])
    let answer = events.last { $0["type"] == "assistant_message" }?["message"]?.text() ?? ""
    #expect(answer.contains("92") && answer.contains("day"), "\(answer)")
  }
}
