/// Names of the OpenTelemetry semantic conventions for generative AI (status "Development" as of 2026), in one place.
public enum GenAI {
  /// Span of a run.
  public static let invokeAgent = "invoke_agent"
  /// Span of a model call.
  public static let chat = "chat"
  /// Span and timer of a tool call.
  public static let executeTool = "execute_tool"
  /// Attribute: who offers the model.
  public static let provider = "gen_ai.provider.name"
  /// Attribute: the model that is asked.
  public static let requestModel = "gen_ai.request.model"
  /// Attribute: the tool's name.
  public static let toolName = "gen_ai.tool.name"
  /// Attribute: the call's id.
  public static let toolCallID = "gen_ai.tool.call.id"
  /// Attribute: the session's id.
  public static let conversationID = "gen_ai.conversation.id"
  /// Attribute: tokens of the request.
  public static let inputTokens = "gen_ai.usage.input_tokens"
  /// Attribute: tokens of the reply.
  public static let outputTokens = "gen_ai.usage.output_tokens"
  /// Counter of tokens.
  public static let tokenUsage = "gen_ai.client.token.usage"
  /// Timer of model calls.
  public static let operationDuration = "gen_ai.client.operation.duration"
  /// Dimension of `tokenUsage`: `input` or `output`.
  public static let tokenType = "gen_ai.token.type"
  /// Attribute: the kind of error.
  public static let errorType = "error.type"
}
