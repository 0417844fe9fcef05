public import MartletJSON

/// How a reply goes: speed, and how full the context is.
public struct Metrics: Sendable, Hashable, JSONConvertible {
  /// Tokens of the prompt.
  public var promptTokens: Int
  /// Tokens of the prompt that were already in the model's cache and cost no work.
  public var reusedTokens: Int
  /// Tokens generated so far.
  public var generatedTokens: Int
  /// Milliseconds to the first token.
  public var ttftMs: Double
  /// Tokens generated per second.
  public var tokensPerSecond: Double
  /// Tokens in the context now.
  public var contextUsed: Int
  /// Tokens the context can hold; 0 when not known.
  public var contextMax: Int
  /// Whether these are the reply's last figures.
  public var finished: Bool
  /// The model's own word for why it stopped; empty before that.
  public var stopReason: String
  /// Whether the token counts come from a heuristic and not from the tokenizer.
  public var estimated: Bool

  /// Figures of a reply.
  public init(
    promptTokens: Int = 0, reusedTokens: Int = 0, generatedTokens: Int = 0, ttftMs: Double = 0,
    tokensPerSecond: Double = 0, contextUsed: Int = 0, contextMax: Int = 0, finished: Bool = false,
    stopReason: String = "", estimated: Bool = false
  ) {
    self.promptTokens = promptTokens
    self.reusedTokens = reusedTokens
    self.generatedTokens = generatedTokens
    self.ttftMs = ttftMs
    self.tokensPerSecond = tokensPerSecond
    self.contextUsed = contextUsed
    self.contextMax = contextMax
    self.finished = finished
    self.stopReason = stopReason
    self.estimated = estimated
  }

  public init(json: JSONValue) throws {
    try self.init(JSONFields(json))
  }

  init(_ fields: JSONFields) throws {
    self.init(
      promptTokens: try fields.intIfPresent("prompt_tokens") ?? 0,
      reusedTokens: try fields.intIfPresent("reused_tokens") ?? 0,
      generatedTokens: try fields.intIfPresent("generated_tokens") ?? 0,
      ttftMs: try fields.doubleIfPresent("ttft_ms") ?? 0,
      tokensPerSecond: try fields.doubleIfPresent("tokens_per_second") ?? 0,
      contextUsed: try fields.intIfPresent("context_used") ?? 0,
      contextMax: try fields.intIfPresent("context_max") ?? 0,
      finished: try fields.boolIfPresent("finished") ?? false,
      stopReason: try fields.stringIfPresent("stop_reason") ?? "",
      estimated: try fields.boolIfPresent("estimated") ?? false)
  }

  public var json: JSONValue {
    var object = JSONObject()
    write(into: &object)
    return .object(object)
  }

  func write(into object: inout JSONObject) {
    object["prompt_tokens"] = .number(JSONNumber(promptTokens))
    object["reused_tokens"] = .number(JSONNumber(reusedTokens))
    object["generated_tokens"] = .number(JSONNumber(generatedTokens))
    object["ttft_ms"] = .init(finite: ttftMs)
    object["tokens_per_second"] = .init(finite: tokensPerSecond)
    object["context_used"] = .number(JSONNumber(contextUsed))
    object["context_max"] = .number(JSONNumber(contextMax))
    object["finished"] = .bool(finished)
    object["stop_reason"] = .string(stopReason)
    object["estimated"] = .bool(estimated)
  }
}

extension JSONValue {
  /// A number, or null for what JSON cannot hold (NaN, infinities).
  package init(finite value: Double) {
    self = JSONNumber(value).map { .number($0) } ?? .null
  }
}
