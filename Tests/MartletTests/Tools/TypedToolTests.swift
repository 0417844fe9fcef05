import Martlet
import MartletJSON
import MartletTesting
import Testing

/// A tool as an app writes it: typed arguments with descriptions, a default and a range.
struct ForecastTool: Tool {
  struct Arguments: ToolArguments {
    @Parameter("The city to look up") var city: String
    @Parameter("How many days", in: 1...14) var days: Int = 3
  }

  let name = "forecast"
  let description = "The weather of the next days. Use it when asked about the weather."
  let effect = ToolEffect.readOnly

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    .text("\(arguments.city) for \(arguments.days) days: sun")
  }
}

@Suite struct TypedToolTests {
  func result(of arguments: JSONObject) async throws -> ToolResult {
    let model = ScriptedModel([
      .calls([ToolCall(id: "call_a", name: "forecast", arguments: arguments)]), .text("Done."),
    ])
    let agent = try Agent(model: model, tools: [ForecastTool()])
    _ = try await agent.send("Go")
    return try #require(await agent.messages[2].toolResults.first)
  }

  @Test func `an absent argument has its default`() async throws {
    #expect(try await result(of: ["city": "Oslo"]).text == "Oslo for 3 days: sun")
  }

  @Test func `a number written as text is taken as a number`() async throws {
    #expect(try await result(of: ["city": "Oslo", "days": "5"]).text == "Oslo for 5 days: sun")
  }

  @Test func `what is out of range is told to the model with the argument's name and bound`() async throws {
    let result = try await result(of: ["city": "Oslo", "days": 20])
    #expect(result.code == .invalidArguments)
    #expect(result.text.contains("days"))
    #expect(result.text.contains("14"))
  }

  @Test func `the schema carries descriptions, defaults and bounds in the order of declaration`() throws {
    let parameters = try ForecastTool().parameters
    #expect(parameters["properties"]?.objectValue?.map(\.key) == ["city", "days"])
    #expect(parameters["properties"]?["days"]?["maximum"] == 14)
    #expect(parameters["required"] == ["city"])
  }
}
