// The martlet command with a model that reads its replies from a script and two tools of its own: what tests run where
// the real program's behaviour with a real process around it matters.
import Foundation
import MartletCLI

let arguments = Array(CommandLine.arguments.dropFirst())
CommandLineTool.prepare()
var context = CommandContext.standard()
context.models = ScriptedCatalog()
context.tools = ScriptedTools()
if let directory = context.environment["MARTLET_EFFECTS"] {
  context.models = EffectModels()
  context.tools = EffectTools(directory: directory)
}
context.wrapStore = { [environment = context.environment] in DyingStore($0, environment: environment) ?? $0 }
exit(await CommandLineTool.main(arguments, context: context).rawValue)
