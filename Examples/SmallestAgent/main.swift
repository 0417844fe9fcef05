// The smallest program with a tool of its own: SmallestAgent MODEL.gguf
import Martlet
import MartletJSON
import MartletLocal

struct Dice: Tool {
  struct Arguments: ToolArguments {
    @Parameter("How many sides the die has", in: 2...1000) var sides: Int = 6
  }

  let name = "roll_dice"
  let description = "Rolls a die. Use it whenever a random number or a throw is asked for."

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    .text("\(Int.random(in: 1...arguments.sides))")
  }
}

let model = try await LocalModel.open(CommandLine.arguments[1])
let agent = try Agent(model: model, tools: [Dice()])
print(try await agent.send("Roll a die with 20 sides."))
