public import MartletJSON

/// What came of a call: the result without the call's id and name, which stand beside it.
public struct ToolOutcome: Sendable, Hashable, JSONConvertible {
  /// What the model sees.
  public var content: [ContentBlock]
  /// Whether the call failed.
  public var isError: Bool
  /// Why, for programs.
  public var code: ToolResult.Code?

  /// An outcome.
  public init(content: [ContentBlock], isError: Bool = false, code: ToolResult.Code? = nil) {
    self.content = content
    self.isError = isError
    self.code = code
  }

  public init(json: JSONValue) throws {
    let result = try ToolResult(callId: "", name: "", outcome: JSONFields(json))
    self.init(content: result.content, isError: result.isError, code: result.code)
  }

  public var json: JSONValue {
    var object = JSONObject()
    ToolResult(callId: "", name: "", content: content, isError: isError, code: code).writeOutcome(into: &object)
    return .object(object)
  }
}
