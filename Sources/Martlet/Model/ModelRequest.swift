public import MartletJSON

/// One question to a model: everything it may depend on, and nothing live.
public struct ModelRequest: Sendable, Hashable {
  /// Instructions, before all messages.
  public var instructions: [ContentBlock]
  /// The tools the model may call, in the order it sees them.
  public var tools: [ToolDefinition]
  /// The conversation. Valid in the sense of invariant I1: each call has one result, in call order, in one message.
  public var messages: MessageHistory
  /// How to answer.
  public var options: ModelOptions
  /// The form of a typed answer; nil for free text.
  public var outputSchema: JSONValue?
  /// Which conversation and prefix this belongs to, for caches of encoded messages; nil for a one-off.
  public var prefix: PromptPrefix?

  /// A request.
  public init(
    instructions: [ContentBlock] = [], tools: [ToolDefinition] = [], messages: MessageHistory,
    options: ModelOptions = ModelOptions(), outputSchema: JSONValue? = nil, prefix: PromptPrefix? = nil
  ) {
    self.instructions = instructions
    self.tools = tools
    self.messages = messages
    self.options = options
    self.outputSchema = outputSchema
    self.prefix = prefix
  }
}

/// Names a prefix that only grows: requests with the same prefix have the same instructions and tools, and the messages
/// of an earlier one are the first messages of a later one (invariant I2).
public struct PromptPrefix: Sendable, Hashable {
  /// The session.
  public var session: String
  /// The epoch within it; a new one starts with a `context`, `compacted`, `history_replaced` or `rewound` event.
  public var epoch: Int

  /// A prefix's name.
  public init(session: String, epoch: Int) {
    self.session = session
    self.epoch = epoch
  }
}
