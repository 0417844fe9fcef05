public import Martlet
public import MartletHTTP
public import MartletJSON

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
    /// Up to `/v1`, with or without it. Default: Anthropic's own service.
    public var baseURL: String
    /// The version of the API, sent as `anthropic-version`.
    public var version: Version
    /// How requests show who sends them.
    public var authentication: Authentication
    /// Names of beta features, sent as `anthropic-beta`.
    public var betas: [String]
    /// Whether the prompt is marked for caching: after the instructions, and at its end. Default: true.
    public var cachesPrompt: Bool
    /// What newer models show of their thinking: `summarized` or `omitted`; nil leaves it to the model, of which the newest
    /// show nothing.
    public var thinkingDisplay: String?
    /// Whether tools are held to their schema while the model writes, as many as Anthropic allows and as far as their
    /// schema lies in its subset. Default: no, as in the API itself.
    public var usesStrictTools: Bool
    /// Tools in the service's own form: `["type": "web_search_20260318", "name": "web_search"]`. What those do that the
    /// service runs goes into the log as opaque blocks; calls of those that a client runs (`["type": "bash_20250124",
    /// "name": "bash"]`) are calls of the agent's tool of that name, which is then offered in this form alone.
    public var serverTools: [JSONValue]
    /// Further headers.
    public var headers: HTTPHeaders
    /// Further members of the request, such as `service_tier`; they replace those of the same name.
    public var extraBody: JSONObject
    /// Tokens that fit in the context window; nil: what is known of the model.
    public var contextWindow: Int?
    /// The most tokens a reply may have; nil: what is known of the model.
    public var maxOutputTokens: Int?
    /// What tokens cost; nil: the list price, where it is known.
    public var price: ModelInfo.Price?
    /// How long a request may take.
    public var timeouts: HTTPRequest.Timeouts

    /// A configuration; every argument has a default.
    public init(
      baseURL: String = "https://api.anthropic.com", version: Version = .v2023_06_01,
      authentication: Authentication = .apiKeyHeader, betas: [String] = [], cachesPrompt: Bool = true,
      thinkingDisplay: String? = nil, usesStrictTools: Bool = false, serverTools: [JSONValue] = [],
      headers: HTTPHeaders = [:], extraBody: JSONObject = [:], contextWindow: Int? = nil,
      maxOutputTokens: Int? = nil, price: ModelInfo.Price? = nil,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.version = version
      self.authentication = authentication
      self.betas = betas
      self.cachesPrompt = cachesPrompt
      self.thinkingDisplay = thinkingDisplay
      self.usesStrictTools = usesStrictTools
      self.serverTools = serverTools
      self.headers = headers
      self.extraBody = extraBody
      self.contextWindow = contextWindow
      self.maxOutputTokens = maxOutputTokens
      self.price = price
      self.timeouts = timeouts
    }
  }

  public let info: ModelInfo
  private let key: APIKey?
  private let configuration: Configuration
  private let transport: any HTTPTransport
  private let facts: AnthropicModelFacts
  private let histories = EncodedHistories<AnthropicMessageEncoder>()
  private let heads = RequestHeads()
  private let base: BaseURL

  /// A model.
  /// - Parameter key: nil for servers that want none.
  public init(
    _ model: String = Anthropic.defaultModel, key: APIKey?, configuration: Configuration = Configuration(),
    transport: any HTTPTransport
  ) {
    self.key = key
    self.configuration = configuration
    self.transport = transport
    base = BaseURL(configuration.baseURL, dropping: "/v1")
    facts = AnthropicModelFacts(model)
    var info = ModelInfo(
      provider: Self.provider, id: model,
      given: ModelLimits(
        contextWindow: configuration.contextWindow, maxOutputTokens: configuration.maxOutputTokens,
        price: configuration.price))
    // Models that the table does not know are like the others of their generation.
    info.contextWindow = info.contextWindow ?? facts.contextWindow
    info.maxOutputTokens = info.maxOutputTokens ?? facts.maxOutputTokens
    self.info = info
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      ProviderStream<EventFrames, AnthropicStreamDecoder>(
        transport: transport, errors: AnthropicErrors(),
        decoder: AnthropicStreamDecoder(
          model: info.id, names: WireNames(.plain, tools: request.tools.lazy.map(\.name)))
      ) { httpRequest(for: request) }
    }
  }

  /// How many tokens a request has, counted by the service.
  /// - Throws: `ModelError`, `CancellationError`.
  public func countTokens(_ request: ModelRequest) async throws -> Int {
    let answer = try await JSONExchange(transport: transport, errors: AnthropicErrors()).send(
      countRequest(for: request))
    guard let count = answer["input_tokens"]?.intValue else {
      throw ModelError(code: .invalidResponse, message: "Anthropic's count of tokens holds no number")
    }
    return count
  }

  public func tokenCount(of request: ModelRequest) async throws -> Int? { try await countTokens(request) }

  /// The models that the service lists, with the limits that it states.
  /// - Throws: `ModelError`, `CancellationError`.
  public func availableModels() async throws -> [ModelInfo] {
    var models: [ModelInfo] = []
    var after: String?
    repeat {
      let page = after.map { "&after_id=\($0.percentEncoded)" } ?? ""
      let request = HTTPRequest(
        .get, base.url("/v1/models?limit=1000\(page)"), headers: headers(accept: "application/json"),
        timeouts: configuration.timeouts)
      let list = try await JSONExchange(transport: transport, errors: AnthropicErrors()).send(request)
      for model in list["data"]?.arrayValue ?? [] {
        guard let id = model["id"]?.stringValue else { continue }
        models.append(
          ModelInfo(
            provider: Self.provider, id: id,
            given: ModelLimits(
              contextWindow: model["max_input_tokens"]?.intValue, maxOutputTokens: model["max_tokens"]?.intValue)))
      }
      let last = list["last_id"]?.stringValue
      after = list["has_more"] == true && last != after ? last : nil
    } while after != nil
    return models
  }

  // MARK: - Requests

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest {
    HTTPRequest(
      .post, base.url("/v1/messages"), headers: headers(accept: "text/event-stream"),
      body: .segments(body(for: request)), timeouts: configuration.timeouts)
  }

  /// The same prompt, to be counted.
  package func countRequest(for request: ModelRequest) -> HTTPRequest {
    HTTPRequest(
      .post, base.url("/v1/messages/count_tokens"), headers: headers(accept: "application/json"),
      body: .segments(body(for: request, counts: true)), timeouts: configuration.timeouts)
  }

  private func headers(accept: String) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "content-type": "application/json", "accept": accept, "anthropic-version": configuration.version.rawValue,
    ]
    if !configuration.betas.isEmpty { headers["anthropic-beta"] = configuration.betas.joined(separator: ",") }
    if let key {
      switch configuration.authentication {
      case .apiKeyHeader: headers["x-api-key"] = key.value
      case .bearer: headers["authorization"] = "Bearer \(key.value)"
      }
    }
    for field in configuration.headers { headers[field.name] = field.value }
    return headers
  }

  /// What does not change within an epoch comes first, then the messages, then what may change.
  private func body(for request: ModelRequest, counts: Bool = false) -> [[UInt8]] {
    let head = heads.head(instructions: request.instructions, tools: request.tools) { makeHead(request) }
    var tail: JSONObject = [
      "max_tokens": .number(
        JSONNumber(max(1, request.options.maxOutputTokens ?? info.defaultMaxOutputTokens))), "stream": true,
    ]
    if configuration.cachesPrompt { tail["cache_control"] = ["type": "ephemeral"] }
    writeThinking(request, into: &tail)
    writeSampling(request.options, into: &tail)
    writeToolChoice(request, into: &tail)
    if !request.options.stopSequences.isEmpty {
      tail["stop_sequences"] = .array(request.options.stopSequences.map { .string($0) })
    }
    if let schema = request.outputSchema {
      tail["output_config"] = .object(
        (tail["output_config"]?.objectValue ?? [:]).merging([
          "format": ["type": "json_schema", "schema": AnthropicSchema.output(schema)]
        ]))
    }
    if counts { for key in ["max_tokens", "stream", "temperature", "top_p", "stop_sequences"] { tail[key] = nil } }
    var messages = histories.items(for: request) { AnthropicMessageEncoder(model: info.id) }
    if messages.isEmpty { messages.append(Array(#"{"role":"user","content":"(no message)"}"#.utf8)) }
    return head.body(messages, tail: tail)
  }

  private func makeHead(_ request: ModelRequest) -> RequestHead {
    var head: JSONObject = ["model": .string(info.id)]
    let tools = tools(request.tools.offered(beside: configuration.serverTools)) + configuration.serverTools
    if !tools.isEmpty { head["tools"] = .array(tools) }
    var system = request.instructions.compactMap(\.text).filter { !$0.isBlank }.map { text in
      JSONValue.object(["type": "text", "text": .string(text)])
    }
    if !system.isEmpty {
      // The marker at the end looks back a few blocks only; this one is found after any number of them.
      if configuration.cachesPrompt { system[system.count - 1]["cache_control"] = ["type": "ephemeral"] }
      head["system"] = .array(system)
    }
    return RequestHead(head, list: "messages", extra: configuration.extraBody)
  }

  private func tools(_ definitions: [ToolDefinition]) -> [JSONValue] {
    var allowance = AnthropicSchema.Allowance()
    return definitions.map { definition in
      let parameters = JSONValue.object(ToolParameters.object(definition.parameters))
      var tool: JSONObject = [
        "name": .string(WireNames().wire(definition.name)), "description": .string(definition.description),
        "input_schema": parameters,
      ]
      if configuration.usesStrictTools, let strict = AnthropicSchema.strict(parameters),
        allowance.admits(strict)
      {
        tool["input_schema"] = strict
        tool["strict"] = true
      }
      return .object(tool)
    }
  }

  private func writeThinking(_ request: ModelRequest, into body: inout JSONObject) {
    guard let level = request.options.thinking else { return }
    switch (facts.thinking, level) {
    case (.budget, .off), (.adaptive(canBeDisabled: true), .off): body["thinking"] = ["type": "disabled"]
    case (.adaptive(canBeDisabled: false), .off): break
    case (.budget, _):
      let limit = body["max_tokens"]?.intValue ?? AgentLoop.defaultMaxOutputTokens
      let share = level == .low ? 4 : level == .medium ? 2 : 1
      let budget = max(1_024, (limit - 512) / share)
      guard budget < limit, !AnthropicMessageEncoder.beginsWithoutThinking(request.messages, model: info.id) else {
        return
      }
      body["thinking"] = ["type": "enabled", "budget_tokens": .number(JSONNumber(budget))]
    case (.adaptive, _):
      body["thinking"] = ["type": "adaptive"]
      if let display = configuration.thinkingDisplay { body["thinking"]?["display"] = .string(display) }
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
    // With a budget of thinking the model chooses for itself.
    let takesForced = facts.takesForcedChoice && body["thinking"]?["type"] != "enabled"
    var choice: JSONObject
    switch request.options.toolChoice {
    case .auto: choice = ["type": "auto"]
    case .none: choice = ["type": "none"]
    case .required: choice = takesForced ? ["type": "any"] : ["type": "auto"]
    case .tool(let name):
      choice = takesForced ? ["type": "tool", "name": .string(WireNames().wire(name))] : ["type": "auto"]
    }
    if request.options.parallelToolCalls == false, request.options.toolChoice != .none {
      choice["disable_parallel_tool_use"] = true
    }
    if choice != ["type": "auto"] { body["tool_choice"] = .object(choice) }
  }
}
