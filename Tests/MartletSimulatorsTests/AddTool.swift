import Martlet
import MartletJSON

/// Adds two numbers.
struct AddTool: Tool {
  struct Arguments: Decodable, Sendable {
    var a: Int
    var b: Int
  }

  let name = "add"
  let description = "Adds two numbers. Use it in tests."
  let effect = ToolEffect.readOnly
  let parameters: JSONValue = [
    "type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "integer"]], "required": ["a", "b"],
  ]

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    .text("\(arguments.a + arguments.b)")
  }
}
