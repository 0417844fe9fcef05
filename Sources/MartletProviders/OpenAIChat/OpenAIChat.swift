public import Martlet
public import MartletHTTP
public import MartletJSON

/// A model behind OpenAI's Chat Completions, or behind any service that speaks that protocol.
///
/// ```swift
/// let transport = SystemTransport()
/// let model = OpenAIChat("gpt-5.1", key: APIKey(key), transport: transport)
/// let other = OpenAIChat("mistral-large-latest", vendor: .mistral, key: APIKey(otherKey), transport: transport)
/// let local = OpenAIChat("qwen3", vendor: .compatible(baseURL: "http://127.0.0.1:8000"), key: nil, transport: transport)
/// ```
/// What vendors do differently is in ``ChatVendor``.
public struct OpenAIChat: LanguageModel {
  /// Where and how to reach the service, and what is known about the model.
  public struct Configuration: Sendable {
    /// Up to and without `/chat/completions`, such as `http://127.0.0.1:8000/v1`; an address without a path gets `/v1`, a
    /// query stays at the end. Nil: the vendor's own.
    public var baseURL: String?
    /// Further headers: `OpenAI-Organization`, `OpenAI-Project`, OpenRouter's `HTTP-Referer` and `X-Title`.
    public var headers: HTTPHeaders
    /// Further members of the request, such as `service_tier`; they replace those of the same name.
    public var extraBody: JSONObject
    /// Whether tools whose schemas the strict subset can say are sent as strict, where the vendor takes that. Default: no,
    /// as in Chat Completions itself.
    public var usesStrictTools: Bool
    /// Tokens that fit in the context window; nil: what is known of the model.
    public var contextWindow: Int?
    /// The most tokens a reply may have; nil: what is known of the model.
    public var maxOutputTokens: Int?
    /// What tokens cost; nil: what is known of the model.
    public var price: ModelInfo.Price?
    /// Default: 5 s to connect, 10 minutes between bytes, since models think before they speak.
    public var timeouts: HTTPRequest.Timeouts

    /// A configuration; every argument has a default.
    public init(
      baseURL: String? = nil, headers: HTTPHeaders = [:], extraBody: JSONObject = [:], usesStrictTools: Bool = false,
      contextWindow: Int? = nil, maxOutputTokens: Int? = nil, price: ModelInfo.Price? = nil,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.headers = headers
      self.extraBody = extraBody
      self.usesStrictTools = usesStrictTools
      self.contextWindow = contextWindow
      self.maxOutputTokens = maxOutputTokens
      self.price = price
      self.timeouts = timeouts
    }
  }

  public let info: ModelInfo
  /// The service.
  public let vendor: ChatVendor
  let configuration: Configuration
  let facts: OpenAIModelFacts
  let histories = EncodedHistories<ChatMessageEncoder>()
  let heads = RequestHeads()
  private let base: BaseURL
  private let key: APIKey?
  private let transport: any HTTPTransport

  /// A model.
  /// - Parameters:
  ///   - vendor: who serves it; default: OpenAI.
  ///   - key: nil for servers that want none.
  public init(
    _ model: String, vendor: ChatVendor = .openAI, key: APIKey?, configuration: Configuration = Configuration(),
    transport: any HTTPTransport
  ) {
    self.vendor = vendor
    self.key = key
    self.configuration = configuration
    self.transport = transport
    base = configuration.baseURL.map { BaseURL($0, version: "/v1") } ?? BaseURL(vendor.baseURL)
    facts = OpenAIModelFacts(model)
    info = ModelInfo(
      provider: vendor.name, id: model,
      given: ModelLimits(
        contextWindow: configuration.contextWindow ?? facts.contextWindow,
        maxOutputTokens: configuration.maxOutputTokens ?? facts.maxOutputTokens, price: configuration.price))
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      ProviderStream<EventFrames, ChatStreamDecoder>(
        transport: transport, errors: OpenAIErrors(name: vendor.title),
        decoder: ChatStreamDecoder(
          vendor: vendor, model: info.id, names: WireNames(tools: request.tools.lazy.map(\.name)))
      ) { httpRequest(for: request) }
    }
  }

  /// The models that the service lists (`GET /models`), with their limits and prices where it tells them.
  /// - Throws: `ModelError`, `CancellationError`.
  public func availableModels() async throws -> [ModelInfo] {
    let list = try await JSONExchange(transport: transport, errors: OpenAIErrors(name: vendor.title)).send(
      HTTPRequest(.get, base.url("/models"), headers: headers(), body: nil, timeouts: configuration.timeouts))
    guard let entries = list["data"]?.arrayValue ?? list["models"]?.arrayValue ?? list.arrayValue else {
      throw ModelError(code: .invalidResponse, message: "\(vendor.title)'s list of models has no `data`")
    }
    return entries.compactMap { ModelInfo(chat: $0, provider: vendor.name) }
  }

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest {
    var headers = headers()
    headers["content-type"] = "application/json"
    headers["accept"] = "text/event-stream"
    return HTTPRequest(
      .post, base.url(vendor.path), headers: headers, body: .segments(body(for: request)),
      timeouts: configuration.timeouts)
  }

  private func headers() -> HTTPHeaders {
    var headers = configuration.headers
    if let key {
      switch vendor.authentication {
      case .bearer: headers["authorization"] = "Bearer \(key.value)"
      case .header(let name): headers[name] = key.value
      }
    }
    return headers
  }
}
