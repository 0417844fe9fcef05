/// What a model says while it replies. New kinds may come: keep a `default` when switching.
public enum ModelEvent: Sendable, Hashable {
  /// A piece of text of block `index`. A preview: history is built from `.block` alone.
  case text(String, index: Int)
  /// A piece of reasoning of block `index`. A preview.
  case thinking(String, index: Int)
  /// A piece of the arguments of a tool call in block `index`. A preview; the id may still change in the block.
  case toolCallDelta(ToolCallDelta, index: Int)
  /// Block `index` is complete. Every block ends with one, also the ones that were not previewed.
  case block(ContentBlock, index: Int)
  /// How fast it goes and how full the context is.
  case metrics(Metrics)
  /// Something the user should know, such as input that was cut by the server.
  case warning(code: String, message: String)
  /// The request's id at the provider, as soon as it is known.
  case requestId(String)
  /// What the provider says of its limits, where it does; before the first piece of the reply.
  case rateLimits([RateLimit])
  /// The reply is complete. Nothing follows.
  case finished(StopReason, Usage)
}

/// A piece of a tool call on its way.
public struct ToolCallDelta: Sendable, Hashable {
  /// The call's id, where it is known already.
  public var id: String?
  /// The tool's name, where it is known already.
  public var name: String?
  /// The next piece of the arguments' JSON text.
  public var arguments: String

  /// A piece of a call.
  public init(id: String? = nil, name: String? = nil, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}
