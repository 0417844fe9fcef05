public import Martlet
public import MartletHTTP
import MartletJSON

/// A Claude model behind the Messages API of Anthropic, or of a server that speaks it.
public struct Anthropic: LanguageModel {
  /// The provider's name in events and block extras.
  public static let provider = "anthropic"
  /// The model for which only the provider is named.
  public static let defaultModel = "claude-opus-5"

  /// A version of the API. An open set.
  public struct Version: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // Named by their dates, as the vendor does.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Takes sampling parameters, on models that do.
    public static let v2023_06_01 = Self(rawValue: "2023-06-01")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Refuses sampling parameters for all models.
    public static let v2026_10_21 = Self(rawValue: "2026-10-21")
  }

  /// How the key is sent.
  public enum Authentication: Sendable, Hashable {
    /// `x-api-key`: what most compatible servers want too.
    case apiKeyHeader
    /// `Authorization: Bearer`.
    case bearer
  }

  /// Where and how to reach the API.
  public struct Configuration: Sendable {
    /// Up to and without `/v1`. Default: Anthropic's own service.
    public var baseURL: String
    /// The version of the API, sent as `anthropic-version`.
    public var version: Version
    /// How requests show who sends them.
    public var authentication: Authentication
    /// Names of beta features, sent as `anthropic-beta`.
    public var betas: [String]
    /// Whether the prompt prefix is marked for caching. Default: true.
    public var cachesPrompt: Bool
    /// How long a request may take.
    public var timeouts: HTTPRequest.Timeouts

    /// A configuration; every argument has a default.
    public init(
      baseURL: String = "https://api.anthropic.com", version: Version = .v2023_06_01,
      authentication: Authentication = .apiKeyHeader, betas: [String] = [], cachesPrompt: Bool = true,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.version = version
      self.authentication = authentication
      self.betas = betas
      self.cachesPrompt = cachesPrompt
      self.timeouts = timeouts
    }
  }

  public let info: ModelInfo
  private let key: APIKey?
  private let configuration: Configuration
  private let transport: any HTTPTransport
  private let facts: AnthropicModelFacts
  private let histories = EncodedHistories<AnthropicMessageEncoder>()

  /// A model.
  /// - Parameter key: nil for servers that want none.
  public init(
    _ model: String = Anthropic.defaultModel, key: APIKey?, configuration: Configuration = Configuration(),
    transport: any HTTPTransport
  ) {
    self.key = key
    self.configuration = configuration
    self.transport = transport
    facts = AnthropicModelFacts(model)
    info = ModelInfo(
      provider: Self.provider, id: model, contextWindow: facts.contextWindow, maxOutputTokens: facts.maxOutputTokens,
      price: nil)
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      ProviderStream<EventFrames, AnthropicStreamDecoder>(
        transport: transport, errors: AnthropicErrors(), decoder: AnthropicStreamDecoder(model: info.id)
      ) { httpRequest(for: request) }
    }
  }

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest {
    var headers: HTTPHeaders = [
      "content-type": "application/json", "accept": "text/event-stream",
      "anthropic-version": configuration.version.rawValue,
    ]
    if !configuration.betas.isEmpty { headers["anthropic-beta"] = configuration.betas.joined(separator: ",") }
    if let key {
      switch configuration.authentication {
      case .apiKeyHeader: headers["x-api-key"] = key.value
      case .bearer: headers["authorization"] = "Bearer \(key.value)"
      }
    }
    return HTTPRequest(
      .post, "\(configuration.baseURL)/v1/messages", headers: headers, body: .segments(body(for: request)),
      timeouts: configuration.timeouts)
  }

  /// What does not change within an epoch comes first, then the messages, then what may change.
  private func body(for request: ModelRequest) -> [[UInt8]] {
    var head: JSONObject = ["model": .string(info.id)]
    if !request.tools.isEmpty { head["tools"] = .array(request.tools.map(tool)) }
    let system = request.instructions.compactMap { block in
      block.text.map { JSONValue.object(["type": "text", "text": .string($0)]) }
    }
    if !system.isEmpty { head["system"] = .array(system) }

    var tail: JSONObject = [
      "max_tokens": .number(
        JSONNumber(request.options.maxOutputTokens ?? min(AgentLoop.defaultMaxOutputTokens, facts.maxOutputTokens))),
      "stream": true,
    ]
    if configuration.cachesPrompt { tail["cache_control"] = ["type": "ephemeral"] }
    writeThinking(request.options, into: &tail)
    writeSampling(request.options, into: &tail)
    writeToolChoice(request, into: &tail)
    if !request.options.stopSequences.isEmpty {
      tail["stop_sequences"] = .array(request.options.stopSequences.map { .string($0) })
    }
    if let schema = request.outputSchema {
      tail["output_config"] = .object(
        (tail["output_config"]?.objectValue ?? [:]).merging(["format": ["type": "json_schema", "schema": schema]]))
    }
    let messages = histories.segments(for: request) { AnthropicMessageEncoder(model: info.id) }
    return RequestBody.join(head: head, list: "messages", of: messages, tail: tail)
  }

  private func tool(_ definition: ToolDefinition) -> JSONValue {
    [
      "name": .string(definition.name), "description": .string(definition.description),
      "input_schema": definition.parameters,
    ]
  }

  private func writeThinking(_ options: ModelOptions, into body: inout JSONObject) {
    guard let level = options.thinking else { return }
    switch (facts.thinking, level) {
    case (.budget, .off), (.adaptive(canBeDisabled: true), .off): body["thinking"] = ["type": "disabled"]
    case (.adaptive(canBeDisabled: false), .off): break
    case (.budget, _):
      let limit = body["max_tokens"]?.intValue ?? AgentLoop.defaultMaxOutputTokens
      let share = level == .low ? 4 : level == .medium ? 2 : 1
      let budget = max(1_024, (limit - 512) / share)
      if budget < limit { body["thinking"] = ["type": "enabled", "budget_tokens": .number(JSONNumber(budget))] }
    case (.adaptive, _):
      body["thinking"] = ["type": "adaptive"]
      body["output_config"] = ["effort": .string(level.rawValue)]
    case (.none, _): break
    }
  }

  private func writeSampling(_ options: ModelOptions, into body: inout JSONObject) {
    guard configuration.version == .v2023_06_01, facts.takesSampling, body["thinking"] == nil else { return }
    if let temperature = options.temperature { body["temperature"] = JSONValue(finite: temperature) }
    if let topP = options.topP, options.temperature == nil { body["top_p"] = JSONValue(finite: topP) }
  }

  private func writeToolChoice(_ request: ModelRequest, into body: inout JSONObject) {
    guard !request.tools.isEmpty else { return }
    var choice: JSONObject
    switch request.options.toolChoice {
    case .auto: choice = ["type": "auto"]
    case .none: choice = ["type": "none"]
    case .required: choice = facts.takesForcedChoice ? ["type": "any"] : ["type": "auto"]
    case .tool(let name): choice = facts.takesForcedChoice ? ["type": "tool", "name": .string(name)] : ["type": "auto"]
    }
    if request.options.parallelToolCalls == false, request.options.toolChoice != .none {
      choice["disable_parallel_tool_use"] = true
    }
    if choice != ["type": "auto"] { body["tool_choice"] = .object(choice) }
  }
}
