public import Martlet
public import MartletHTTP
public import MartletJSON

/// A model behind the Responses API of OpenAI, or of a server that speaks it.
///
/// The API is used without its state: nothing is stored, the whole conversation goes with every request, and a model's
/// reasoning comes and goes encrypted.
public struct OpenAIResponses: LanguageModel {
  /// The provider's name in events and block extras.
  public static let provider = "openai"

  /// How the key is sent.
  public enum Authentication: Sendable, Hashable {
    /// `Authorization: Bearer`.
    case bearer
    /// `api-key`, as Azure wants keys.
    case apiKeyHeader
  }

  /// Where and how to reach the API.
  public struct Configuration: Sendable {
    /// Up to and with `/v1`, which an address without a path gets. Default: OpenAI's own service.
    public var baseURL: String
    /// How requests show who sends them.
    public var authentication: Authentication
    /// Further headers, such as `OpenAI-Organization` and `OpenAI-Project` for keys that belong to several.
    public var headers: HTTPHeaders
    /// Whether a conversation's requests name one cache (`prompt_cache_key`). Default: true.
    public var cachesPrompt: Bool
    /// How much of the reasoning to summarise (`auto`, `concise`, `detailed`); nil for no summaries. Default: nil, because
    /// OpenAI gives them to verified organizations only.
    public var reasoningSummary: String?
    /// Whether tools and answers are held to their schema while the model writes, where the schema lies in the subset that
    /// allows it: closed objects of required properties, `anyOf` but no other combination. Default: true.
    public var usesStrictTools: Bool
    /// Tools that the service runs, in its own form: `["type": "web_search"]`. What they do goes into the log as opaque
    /// blocks. Calls of those that a client runs (`local_shell`, `shell`, `apply_patch`, `tool_search`) are calls of the
    /// agent's tool of that name; it is then offered in the service's form alone.
    public var serverTools: [JSONValue]
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
      baseURL: String = "https://api.openai.com/v1", authentication: Authentication = .bearer,
      headers: HTTPHeaders = [:], cachesPrompt: Bool = true, reasoningSummary: String? = nil,
      usesStrictTools: Bool = true, serverTools: [JSONValue] = [], extraBody: JSONObject = [:],
      contextWindow: Int? = nil, maxOutputTokens: Int? = nil, price: ModelInfo.Price? = nil,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.authentication = authentication
      self.headers = headers
      self.cachesPrompt = cachesPrompt
      self.reasoningSummary = reasoningSummary
      self.usesStrictTools = usesStrictTools
      self.serverTools = serverTools
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
  private let facts: OpenAIResponsesFacts
  private let histories = EncodedHistories<OpenAIResponsesMessageEncoder>()
  private let heads = RequestHeads()
  private let base: BaseURL

  /// A model.
  /// - Parameter key: nil for servers that want none.
  public init(
    _ model: String, key: APIKey?, configuration: Configuration = Configuration(), transport: any HTTPTransport
  ) {
    self.key = key
    self.configuration = configuration
    self.transport = transport
    base = BaseURL(configuration.baseURL, version: "/v1")
    facts = OpenAIResponsesFacts(model)
    info = ModelInfo(
      provider: Self.provider, id: model,
      given: ModelLimits(
        contextWindow: configuration.contextWindow, maxOutputTokens: configuration.maxOutputTokens,
        price: configuration.price))
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      ProviderStream<EventFrames, OpenAIResponsesStreamDecoder>(
        transport: transport, errors: OpenAIErrors(),
        decoder: OpenAIResponsesStreamDecoder(
          model: info.id, names: WireNames(.plain, tools: request.tools.lazy.map(\.name)))
      ) { httpRequest(for: request) }
    }
  }

  /// The models that the service lists, with what `ModelTable` knows of each.
  /// - Throws: `ModelError`, `CancellationError`.
  public func availableModels() async throws -> [ModelInfo] {
    let request = HTTPRequest(
      .get, base.url("/models"), headers: headers(accept: "application/json"),
      timeouts: configuration.timeouts)
    let list = try await JSONExchange(transport: transport, errors: OpenAIErrors()).send(request)
    return (list["data"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }.map {
      ModelInfo(provider: Self.provider, id: $0, given: ModelLimits())
    }
  }

  // MARK: - Requests

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest {
    HTTPRequest(
      .post, base.url("/responses"), headers: headers(accept: "text/event-stream"),
      body: .segments(body(for: request)), timeouts: configuration.timeouts)
  }

  private func headers(accept: String) -> HTTPHeaders {
    var headers: HTTPHeaders = ["content-type": "application/json", "accept": accept]
    if let key {
      switch configuration.authentication {
      case .bearer: headers["authorization"] = "Bearer \(key.value)"
      case .apiKeyHeader: headers["api-key"] = key.value
      }
    }
    for field in configuration.headers { headers[field.name] = field.value }
    return headers
  }

  /// What does not change within an epoch comes first, then the items, then what may change.
  private func body(for request: ModelRequest) -> [[UInt8]] {
    let head = heads.head(instructions: request.instructions, tools: request.tools) { makeHead(request) }
    var tail: JSONObject = ["stream": true, "store": false]
    if facts.reasons { tail["include"] = ["reasoning.encrypted_content"] }
    let limit = request.options.maxOutputTokens ?? info.defaultMaxOutputTokens
    tail["max_output_tokens"] = .number(JSONNumber(max(Self.leastOutput, limit)))
    writeReasoning(request.options, into: &tail)
    writeSampling(request.options, into: &tail)
    writeToolChoice(request, into: &tail)
    if let schema = request.outputSchema { tail["text"] = ["format": format(schema)] }
    if configuration.cachesPrompt, let session = request.prefix?.session {
      tail["prompt_cache_key"] = .string(String(session.prefix(64)))
    }
    var items = histories.items(for: request) { OpenAIResponsesMessageEncoder(model: info.id) }
    if items.isEmpty { items.append(Array(#"{"role":"user","content":"(no message)"}"#.utf8)) }
    return head.body(items, tail: tail)
  }

  private func makeHead(_ request: ModelRequest) -> RequestHead {
    var head: JSONObject = ["model": .string(info.id)]
    let instructions = request.instructions.compactMap(\.text).joined(separator: "\n\n")
    if !instructions.isEmpty { head["instructions"] = .string(instructions) }
    let tools = request.tools.offered(beside: configuration.serverTools).map(tool) + configuration.serverTools
    if !tools.isEmpty { head["tools"] = .array(tools) }
    return RequestHead(head, list: "input", extra: configuration.extraBody)
  }

  /// The smallest limit that the API takes.
  private static let leastOutput = 16

  private func tool(_ definition: ToolDefinition) -> JSONValue {
    let strict = strict(definition.parameters)
    // Without `strict` the service would try to be, and refuse schemas that cannot.
    return [
      "type": "function", "name": .string(WireNames().wire(definition.name)),
      "description": .string(definition.description),
      "parameters": strict ?? OpenAISchema.parameters(definition.parameters),
      "strict": .bool(strict != nil),
    ]
  }

  private func strict(_ schema: JSONValue) -> JSONValue? {
    guard configuration.usesStrictTools else { return nil }
    return OpenAISchema.strict(schema)
  }

  private func format(_ schema: JSONValue) -> JSONValue {
    let strict = strict(schema)
    return [
      "type": "json_schema", "name": "answer", "schema": strict ?? schema, "strict": .bool(strict != nil),
    ]
  }

  private func writeReasoning(_ options: ModelOptions, into body: inout JSONObject) {
    guard facts.reasons else { return }
    var reasoning = JSONObject()
    if let level = options.thinking {
      if level != .off {
        reasoning["effort"] = .string(level.rawValue)
      } else {
        reasoning["effort"] = .string(facts.noEffort ?? "low")
      }
    }
    if let summary = configuration.reasoningSummary, options.thinking != .off {
      reasoning["summary"] = .string(summary)
    }
    if !reasoning.isEmpty { body["reasoning"] = .object(reasoning) }
  }

  private func writeSampling(_ options: ModelOptions, into body: inout JSONObject) {
    if facts.reasons {
      guard facts.samplesUnasked, options.thinking == nil || options.thinking == .off else { return }
    }
    if let temperature = options.temperature { body["temperature"] = JSONValue(finite: temperature) }
    if let topP = options.topP { body["top_p"] = JSONValue(finite: topP) }
  }

  private func writeToolChoice(_ request: ModelRequest, into body: inout JSONObject) {
    guard !request.tools.isEmpty else { return }
    switch request.options.toolChoice {
    case .auto: break
    case .none: body["tool_choice"] = "none"
    case .required: body["tool_choice"] = "required"
    case .tool(let name): body["tool_choice"] = ["type": "function", "name": .string(WireNames().wire(name))]
    }
    if let parallel = request.options.parallelToolCalls { body["parallel_tool_calls"] = .bool(parallel) }
  }
}
