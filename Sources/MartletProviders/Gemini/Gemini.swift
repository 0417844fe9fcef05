public import Martlet
public import MartletHTTP
public import MartletJSON

/// A model behind Google's Gemini API, or behind Vertex AI, which speaks it too.
public struct Gemini: LanguageModel {
  /// The provider's name in events and block extras.
  public static let provider = "gemini"

  /// How the key is sent.
  public enum Authentication: Sendable, Hashable {
    /// `x-goog-api-key`. (A key in the address would end up in logs.)
    case apiKeyHeader
    /// `Authorization: Bearer`, for the access tokens of Vertex AI.
    case bearer
  }

  /// Which form of schema tools and answers are described in.
  public enum SchemaForm: Sendable, Hashable {
    /// JSON Schema as it is (`parametersJsonSchema`, `responseJsonSchema`).
    case jsonSchema
    /// Google's older subset of OpenAPI, for servers that only know that. What it cannot say is left out.
    case openAPI
  }

  /// Where and how to reach the API.
  public struct Configuration: Sendable {
    /// What stands before `/models/`; an address without a path gets `/v1beta`. Default: Google's service for developers.
    public var baseURL: String
    /// How requests show who sends them.
    public var authentication: Authentication
    /// Which form of schema tools and answers are described in. Default: JSON Schema.
    public var schemaForm: SchemaForm
    /// Whether arguments of calls may come in pieces; only Vertex AI does that. Default: false.
    public var streamsArguments: Bool
    /// Tools that the service runs, in its own form: `["googleSearch": [:]]`. What they do goes into the log as opaque
    /// blocks.
    public var serverTools: [JSONValue]
    /// Further headers.
    public var headers: HTTPHeaders
    /// Further members of the request, such as `safetySettings`; they replace those of the same name.
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
      baseURL: String = "https://generativelanguage.googleapis.com/v1beta",
      authentication: Authentication = .apiKeyHeader, schemaForm: SchemaForm = .jsonSchema,
      streamsArguments: Bool = false, serverTools: [JSONValue] = [], headers: HTTPHeaders = [:],
      extraBody: JSONObject = [:], contextWindow: Int? = nil, maxOutputTokens: Int? = nil,
      price: ModelInfo.Price? = nil,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.authentication = authentication
      self.schemaForm = schemaForm
      self.streamsArguments = streamsArguments
      self.serverTools = serverTools
      self.headers = headers
      self.extraBody = extraBody
      self.contextWindow = contextWindow
      self.maxOutputTokens = maxOutputTokens
      self.price = price
      self.timeouts = timeouts
    }

    /// Vertex AI; the key is then an access token (`gcloud auth print-access-token`), which lives for an hour.
    /// - Parameter location: such as `europe-west4`, or `global`.
    public static func vertex(project: String, location: String = "global") -> Self {
      let host = location == "global" ? "aiplatform.googleapis.com" : "\(location)-aiplatform.googleapis.com"
      return Self(
        baseURL: "https://\(host)/v1/projects/\(project)/locations/\(location)/publishers/google",
        authentication: .bearer)
    }
  }

  public let info: ModelInfo
  private let key: APIKey?
  private let configuration: Configuration
  private let transport: any HTTPTransport
  private let facts: GeminiModelFacts
  private let histories = EncodedHistories<GeminiMessageEncoder>()
  private let heads = RequestHeads()
  private let base: BaseURL

  /// A model.
  /// - Parameters:
  ///   - model: its id, with or without `models/` before it.
  ///   - key: nil for servers that want none.
  public init(
    _ model: String, key: APIKey?, configuration: Configuration = Configuration(), transport: any HTTPTransport
  ) {
    let id = model.hasPrefix("models/") ? String(model.dropFirst(7)) : model
    self.key = key
    self.configuration = configuration
    self.transport = transport
    base = BaseURL(configuration.baseURL, version: "/v1beta")
    facts = GeminiModelFacts(id)
    info = ModelInfo(
      provider: Self.provider, id: id,
      given: ModelLimits(
        contextWindow: configuration.contextWindow, maxOutputTokens: configuration.maxOutputTokens,
        price: configuration.price))
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      ProviderStream<EventFrames, GeminiStreamDecoder>(
        transport: transport, errors: GeminiErrors(),
        decoder: GeminiStreamDecoder(
          model: info.id, names: WireNames(.dotted, tools: request.tools.lazy.map(\.name)))
      ) { httpRequest(for: request) }
    }
  }

  /// The models that the service lists, with the limits that it states.
  /// - Throws: `ModelError`, `CancellationError`.
  public func availableModels() async throws -> [ModelInfo] {
    var models: [ModelInfo] = []
    var page: String?
    repeat {
      let token = page.map { "&pageToken=\($0.percentEncoded)" } ?? ""
      let request = HTTPRequest(
        .get, base.url("/models?pageSize=1000\(token)"), headers: headers(accept: "application/json"),
        timeouts: configuration.timeouts)
      let list = try await JSONExchange(transport: transport, errors: GeminiErrors()).send(request)
      for model in list["models"]?.arrayValue ?? [] {
        guard let name = model["name"]?.stringValue else { continue }
        models.append(
          ModelInfo(
            provider: Self.provider, id: name.hasPrefix("models/") ? String(name.dropFirst(7)) : name,
            given: ModelLimits(
              contextWindow: model["inputTokenLimit"]?.intValue, maxOutputTokens: model["outputTokenLimit"]?.intValue)))
      }
      page = list["nextPageToken"]?.stringValue.flatMap { $0.isEmpty || $0 == page ? nil : $0 }
    } while page != nil
    return models
  }

  /// How many tokens a request has, counted by the service.
  /// - Throws: `ModelError`, or `CancellationError` when the task is cancelled.
  public func countTokens(_ request: ModelRequest) async throws -> Int {
    let body = body(for: request)
    var whole = try JSONValue(parsing: Array(body.joined())).objectValue ?? [:]
    whole["model"] = .string("models/\(info.id)")
    let counted = HTTPRequest(
      .post, base.url("/models/\(info.id):countTokens"), headers: headers(accept: "application/json"),
      body: .bytes(JSONValue.object(["generateContentRequest": .object(whole)]).bytes()),
      timeouts: configuration.timeouts)
    let answer = try await JSONExchange(transport: transport, errors: GeminiErrors()).send(counted)
    guard let count = answer["totalTokens"]?.intValue else {
      throw ModelError(code: .invalidResponse, message: "Gemini's count of tokens holds no number")
    }
    return count
  }

  public func tokenCount(of request: ModelRequest) async throws -> Int? { try await countTokens(request) }

  // MARK: - Requests

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest {
    HTTPRequest(
      .post, base.url("/models/\(info.id):streamGenerateContent?alt=sse"),
      headers: headers(accept: "text/event-stream"),
      body: .segments(body(for: request)), timeouts: configuration.timeouts)
  }

  private func headers(accept: String) -> HTTPHeaders {
    var headers: HTTPHeaders = ["content-type": "application/json", "accept": accept]
    if let key {
      switch configuration.authentication {
      case .apiKeyHeader: headers["x-goog-api-key"] = key.value
      case .bearer: headers["authorization"] = "Bearer \(key.value)"
      }
    }
    for field in configuration.headers { headers[field.name] = field.value }
    return headers
  }

  /// What does not change within an epoch comes first, then the contents, then what may change.
  private func body(for request: ModelRequest) -> [[UInt8]] {
    let head = heads.head(instructions: request.instructions, tools: request.tools) { makeHead(request) }
    var tail: JSONObject = ["generationConfig": .object(generation(request))]
    if let choice = toolConfig(request) { tail["toolConfig"] = choice }
    var contents = histories.items(for: request) { GeminiMessageEncoder(model: info.id) }
    if contents.isEmpty { contents.append(Array(#"{"role":"user","parts":[{"text":"(no message)"}]}"#.utf8)) }
    return head.body(contents, tail: tail)
  }

  private func makeHead(_ request: ModelRequest) -> RequestHead {
    var head = JSONObject()
    let system = request.instructions.compactMap(\.text).filter { !$0.isBlank }.map { text in
      JSONValue.object(["text": .string(text)])
    }
    if !system.isEmpty { head["systemInstruction"] = ["parts": .array(system)] }
    var tools = configuration.serverTools
    if !request.tools.isEmpty { tools.insert(["functionDeclarations": .array(request.tools.map(tool))], at: 0) }
    if !tools.isEmpty { head["tools"] = .array(tools) }
    return RequestHead(head, list: "contents", extra: configuration.extraBody)
  }

  private func tool(_ definition: ToolDefinition) -> JSONValue {
    var tool: JSONObject = [
      "name": .string(WireNames(.dotted).wire(definition.name)), "description": .string(definition.description),
    ]
    let parameters = JSONValue.object(ToolParameters.object(definition.parameters))
    // An object without properties is refused; a function without parameters is not.
    if parameters["properties"]?.objectValue?.isEmpty == false {
      switch configuration.schemaForm {
      case .jsonSchema: tool["parametersJsonSchema"] = parameters
      case .openAPI: tool["parameters"] = GeminiSchema.openAPI(parameters)
      }
    }
    return .object(tool)
  }

  private func generation(_ request: ModelRequest) -> JSONObject {
    let options = request.options
    var config: JSONObject = [
      "maxOutputTokens": .number(JSONNumber(max(1, options.maxOutputTokens ?? info.defaultMaxOutputTokens)))
    ]
    if let temperature = options.temperature { config["temperature"] = JSONValue(finite: temperature) }
    if let topP = options.topP { config["topP"] = JSONValue(finite: topP) }
    if let seed = options.seed { config["seed"] = .number(JSONNumber(Int(Int32(truncatingIfNeeded: seed)))) }
    if !options.stopSequences.isEmpty {
      config["stopSequences"] = .array(options.stopSequences.prefix(Self.mostStops).map { .string($0) })
    }
    if let schema = request.outputSchema, request.tools.isEmpty || facts.takesSchemaWithTools {
      config["responseMimeType"] = "application/json"
      switch configuration.schemaForm {
      case .jsonSchema: config["responseJsonSchema"] = schema
      case .openAPI: config["responseSchema"] = GeminiSchema.openAPI(schema)
      }
    }
    if let level = options.thinking, let thinking = thinking(level) { config["thinkingConfig"] = thinking }
    return config
  }

  /// More are refused.
  private static let mostStops = 5

  private func thinking(_ level: ModelOptions.ThinkingLevel) -> JSONValue? {
    switch facts.thinking {
    case .none: return nil
    case .budget(let least):
      let budgets: [ModelOptions.ThinkingLevel: Int] = [.off: 0, .low: 2_048, .medium: 8_192, .high: 24_576]
      let budget = max(least, budgets[level] ?? 24_576)
      return ["thinkingBudget": .number(JSONNumber(budget)), "includeThoughts": .bool(level != .off)]
    case .level(let least):
      return [
        "thinkingLevel": .string(level == .off ? least : level.rawValue), "includeThoughts": .bool(level != .off),
      ]
    }
  }

  private func toolConfig(_ request: ModelRequest) -> JSONValue? {
    guard !request.tools.isEmpty else { return nil }
    var config = JSONObject()
    switch request.options.toolChoice {
    case .auto: break
    case .none: config["mode"] = "NONE"
    case .required: config["mode"] = "ANY"
    case .tool(let name):
      config["mode"] = "ANY"
      config["allowedFunctionNames"] = [.string(WireNames(.dotted).wire(name))]
    }
    if configuration.streamsArguments { config["streamFunctionCallArguments"] = true }
    guard !config.isEmpty else { return nil }
    return ["functionCallingConfig": .object(config)]
  }
}
