public import MartletJSON

/// The smallest MCP server: a list of tools, and a way to call them.
///
/// Enough for an app that gives a model its own data, in the same process:
///
/// ```swift
/// struct BloodPressureService: MCPServerProtocol {
///   let tools = [MCPTool(name: "blood_pressure", description: "The latest blood pressure, systolic/diastolic.")]
///
///   func call(_ name: String, arguments: JSONObject) async throws -> MCPCallResult {
///     guard name == "blood_pressure" else { throw MCPError.toolNotSupported(name) }
///     return "123/78"
///   }
/// }
///
/// let client = MCPClient(BloodPressureService())
/// ```
///
/// ``MCPServer`` does more: resources, prompts, progress, questions to the user.
public protocol MCPServerProtocol: Sendable {
  /// What it can do. Asked for each time a client lists tools.
  var tools: [MCPTool] { get async throws }

  /// Does it. The arguments fit the tool's `inputSchema`.
  /// - Throws: ``MCPError/toolNotSupported(_:)`` for a name it does not know. Any other error becomes a failed result
  ///   with the error's description, which a model reads.
  func call(_ name: String, arguments: JSONObject) async throws -> MCPCallResult
}
