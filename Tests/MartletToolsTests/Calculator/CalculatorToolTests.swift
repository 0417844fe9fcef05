import Martlet
import MartletJSON
import Testing

@testable import MartletTools

@Suite struct CalculatorToolTests {
  private func call(_ expression: String) async throws -> ToolOutput {
    try await CalculatorTool().call(["expression": .string(expression)], ToolContext())
  }

  @Test(arguments: [
    ("23*4", "23*4 = 92", "92"), ("0.1 + 0.2", "0.1 + 0.2 = 0.3", "0.3"),
    ("1/3", "1/3 ≈ 0.333333333333333", "0.333333333333333"),
    ("23*4 = ?", "23*4 = 92", "92"),
    (" 2^100 ", "2^100 = 1267650600228229401496703205376", "1267650600228229401496703205376"),
    ("1e30/7", "1e30/7 ≈ 1.42857142857143e29", "1.42857142857143e29"),
  ])
  func `a result is given in words and as a number`(expression: String, text: String, number: String) async throws {
    let output = try await call(expression)
    #expect(output.text == text)
    #expect(output.structured?["result"]?.numberValue?.text == number)
    #expect(!output.isError)
  }

  @Test func `what cannot be computed says why and where`() async throws {
    let output = try await call("2 / 0")
    #expect(output.isError)
    #expect(output.code?.rawValue == "INVALID_EXPRESSION")
    #expect(output.text == "\"2 / 0\" cannot be computed: division by zero (at character 3)")
  }
}
