/// Names of the OpenTelemetry semantic conventions for generative AI (status "Development" as of 2026), in one place.
public enum GenAI {
  public static let invokeAgent = "invoke_agent"
  public static let chat = "chat"
  public static let executeTool = "execute_tool"
  public static let provider = "gen_ai.provider.name"
  public static let requestModel = "gen_ai.request.model"
  public static let toolName = "gen_ai.tool.name"
  public static let toolCallID = "gen_ai.tool.call.id"
  public static let conversationID = "gen_ai.conversation.id"
  public static let inputTokens = "gen_ai.usage.input_tokens"
  public static let outputTokens = "gen_ai.usage.output_tokens"
  public static let tokenUsage = "gen_ai.client.token.usage"
  public static let operationDuration = "gen_ai.client.operation.duration"
  public static let tokenType = "gen_ai.token.type"
  public static let errorType = "error.type"
}
