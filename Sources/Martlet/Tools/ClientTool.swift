public import MartletJSON

/// A tool that whoever uses the agent performs itself, such as a page that knows where the user is: the call waits until
/// its result is given.
///
/// ```swift
/// let tools = try ToolRegistry([ClientTool("where_am_i", description: "Where the user is. Use it for places nearby.")])
/// // On `input_requested` with the kind `client_tool`, in this process or another:
/// try await agent.resolve(input: request.inputId, "Oslo")
/// ```
/// A text is the result as it is, any other value as JSON. Declining is a failure that the model reads.
public struct ClientTool: Tool {
  public let name: String
  public let description: String
  public let parameters: JSONValue
  public let effect: ToolEffect
  public let requiresPermission: Bool

  /// A tool.
  /// - Parameters:
  ///   - parameters: the JSON Schema of its arguments; none by default.
  ///   - effect: what performing it twice would do.
  public init(
    _ name: String, description: String, parameters: JSONValue = ["type": "object", "properties": [:]],
    effect: ToolEffect = .once, requiresPermission: Bool = false
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
    self.effect = effect
    self.requiresPermission = requiresPermission
  }

  public func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    guard let input = context.inputs.last else {
      throw InputNeeded(.clientTool, payload: ["name": .string(name), "arguments": arguments])
    }
    switch input.value {
    case .string(let text)?: return .text(text)
    case let value?: return .structured(value)
    case nil: return .failure("\(name) was not performed: the other side declined.", code: "declined")
    }
  }
}
