public import MartletJSON

/// How a model should answer. Nil leaves the choice to the model or its provider.
public struct ModelOptions: Sendable, Hashable, JSONConvertible {
  /// The most tokens the reply may have. Default 4,096.
  public var maxOutputTokens: Int?
  /// Randomness, from 0; left out where a model does not take it.
  public var temperature: Double?
  /// Nucleus sampling, 0 to 1.
  public var topP: Double?
  /// Makes sampling repeatable, where that is supported.
  public var seed: Int?
  /// Texts that end the reply.
  public var stopSequences: [String]
  /// How hard to think.
  public var thinking: ThinkingLevel?
  /// Whether and which tools to call.
  public var toolChoice: ToolChoice
  /// Whether several calls may come in one turn; nil leaves it to the provider.
  public var parallelToolCalls: Bool?

  /// Options.
  public init(
    maxOutputTokens: Int? = nil, temperature: Double? = nil, topP: Double? = nil, seed: Int? = nil,
    stopSequences: [String] = [], thinking: ThinkingLevel? = nil, toolChoice: ToolChoice = .auto,
    parallelToolCalls: Bool? = nil
  ) {
    self.maxOutputTokens = maxOutputTokens
    self.temperature = temperature
    self.topP = topP
    self.seed = seed
    self.stopSequences = stopSequences
    self.thinking = thinking
    self.toolChoice = toolChoice
    self.parallelToolCalls = parallelToolCalls
  }

  /// How hard a model should think. An open set.
  public struct ThinkingLevel: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No reasoning, where the model can do without.
    public static let off = Self(rawValue: "off")
    /// A little.
    public static let low = Self(rawValue: "low")
    /// Some.
    public static let medium = Self(rawValue: "medium")
    /// As much as helps.
    public static let high = Self(rawValue: "high")
  }

  /// Whether and which tools a model should call.
  public enum ToolChoice: Sendable, Hashable {
    /// The model decides.
    case auto
    /// No tool.
    case none
    /// At least one tool.
    case required
    /// This tool.
    case tool(String)
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    let choice: ToolChoice
    switch fields["tool_choice"] {
    case .none, .string("auto"): choice = .auto
    case .string("none"): choice = .none
    case .string("required"): choice = .required
    case .some(let value): choice = .tool(try JSONFields(value).string("tool"))
    }
    self.init(
      maxOutputTokens: try fields.intIfPresent("max_output_tokens"),
      temperature: try fields.doubleIfPresent("temperature"), topP: try fields.doubleIfPresent("top_p"),
      seed: try fields.intIfPresent("seed"), stopSequences: try fields.strings("stop_sequences"),
      thinking: try fields.stringIfPresent("thinking").map(ThinkingLevel.init(rawValue:)), toolChoice: choice,
      parallelToolCalls: try fields.boolIfPresent("parallel_tool_calls"))
  }

  public var json: JSONValue {
    var object = JSONObject()
    object.set("max_output_tokens", maxOutputTokens.map { .number(JSONNumber($0)) })
    object.set("temperature", temperature.map { JSONValue(finite: $0) })
    object.set("top_p", topP.map { JSONValue(finite: $0) })
    object.set("seed", seed.map { .number(JSONNumber($0)) })
    if !stopSequences.isEmpty { object["stop_sequences"] = .array(stopSequences.map { .string($0) }) }
    object.set("thinking", thinking.map { .string($0.rawValue) })
    switch toolChoice {
    case .auto: break
    case .none: object["tool_choice"] = "none"
    case .required: object["tool_choice"] = "required"
    case .tool(let name): object["tool_choice"] = ["tool": .string(name)]
    }
    object.set("parallel_tool_calls", parallelToolCalls.map { .bool($0) })
    return .object(object)
  }
}
