public import MartletJSON

/// What requests are built from, until the next such event: before the first request and at each change.
public struct PromptContext: EventPayload {
  static let type = "context"
  /// What the model is told before the conversation.
  public var instructions: [ContentBlock]
  /// The tools it may call, in the order it sees them.
  public var tools: [ToolDefinition]
  /// The model, as `provider/id`.
  public var model: String
  /// How it should answer.
  public var options: ModelOptions
  /// The form of a typed answer.
  public var outputSchema: JSONValue?
  /// The epoch it starts, from 1.
  public var epoch: Int

  /// The fields of the event.
  public init(
    instructions: [ContentBlock] = [], tools: [ToolDefinition] = [], model: String,
    options: ModelOptions = ModelOptions(), outputSchema: JSONValue? = nil, epoch: Int
  ) {
    self.instructions = instructions
    self.tools = tools
    self.model = model
    self.options = options
    self.outputSchema = outputSchema
    self.epoch = epoch
  }

  init(_ fields: JSONFields) throws {
    self.init(
      instructions: try fields.values("instructions"),
      tools: try fields.values("tools"),
      model: try fields.string("model"),
      options: try fields.value("options"),
      outputSchema: fields["output_schema"],
      epoch: try fields.int("epoch"))
  }

  func write(into object: inout JSONObject) {
    object["instructions"] = .array(instructions.map(\.json))
    object["tools"] = .array(tools.map(\.json))
    object["model"] = .string(model)
    object["options"] = options.json
    object.set("output_schema", outputSchema)
    object["epoch"] = .number(JSONNumber(epoch))
  }

  var event: AgentEvent { .context(self) }
}
