import Martlet
import MartletJSON

/// A tool that needs permission where the user's policy says so, whatever the tool itself says.
struct PolicedTool<Base: Tool>: Tool {
  let base: Base
  let requiresPermission: Bool

  var name: String { base.name }
  var title: String { base.title }
  var description: String { base.description }
  var parameters: JSONValue { get throws { try base.parameters } }
  var effect: ToolEffect { base.effect }
  var runsConcurrently: Bool { base.runsConcurrently }
  var isInstant: Bool { base.isInstant }
  var timeout: Duration? { base.timeout }

  func call(arguments: Base.Arguments, context: ToolContext) async throws -> ToolOutput {
    try await base.call(arguments: arguments, context: context)
  }
}

extension CallPolicy {
  /// The tool with the policy's word on permission. A call that is denied asks as well: the approver then says no.
  func apply(to tool: any Tool) throws -> any Tool {
    func policed(_ tool: some Tool) throws -> any Tool {
      let asks = decision(on: try tool.definition) != .allow
      return asks == tool.requiresPermission ? tool : PolicedTool(base: tool, requiresPermission: asks)
    }
    return try policed(tool)
  }
}
