public import Martlet
public import MartletHTTP
import MartletJSON

/// A model behind Ollama's own chat endpoint.
///
/// ```swift
/// let model = Ollama("qwen3", transport: SystemTransport())
/// ```
/// Unlike the compatible endpoint this one can be told how many tokens the context holds (`num_ctx`), which is done with
/// every request: Ollama's own default is small, and it drops what does not fit from the front without a word. Where the
/// count that comes back is too small for what was sent, the stream carries a warning with the code `input_truncated`.
public struct Ollama: LanguageModel {
  /// The provider's name in events and block extras.
  public static let provider = "ollama"

  /// Where and how to reach the server, and how it is to run the model.
  public struct Configuration: Sendable {
    /// Up to `/api`, with or without it. Default: the local server.
    public var baseURL: String
    /// Tokens that the context holds: sent with every request as `num_ctx`. More takes more memory; ``Ollama/details()``
    /// tells how many the model can have. Default: 16,384.
    public var contextWindow: Int
    /// How long the server keeps the model in memory after a request, such as `10m`; nil: the server's own default.
    public var keepAlive: String?
    /// Default: 5 s to connect, 10 minutes between bytes, since models think before they speak.
    public var timeouts: HTTPRequest.Timeouts

    /// A configuration; every argument has a default.
    public init(
      baseURL: String = "http://127.0.0.1:11434", contextWindow: Int = 16_384, keepAlive: String? = nil,
      timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(600))
    ) {
      self.baseURL = baseURL
      self.contextWindow = contextWindow
      self.keepAlive = keepAlive
      self.timeouts = timeouts
    }
  }

  public let info: ModelInfo
  private let key: APIKey?
  private let configuration: Configuration
  private let transport: any HTTPTransport
  private let histories = EncodedHistories<OllamaMessageEncoder>()
  private let heads = RequestHeads()
  private let base: BaseURL

  /// A model.
  /// - Parameter key: only for servers that want one, such as Ollama's own in the cloud.
  public init(
    _ model: String, key: APIKey? = nil, configuration: Configuration = Configuration(), transport: any HTTPTransport
  ) {
    self.key = key
    self.configuration = configuration
    self.transport = transport
    base = BaseURL(configuration.baseURL, dropping: "/api")
    info = ModelInfo(
      provider: Self.provider, id: model, contextWindow: configuration.contextWindow, price: key == nil ? .free : nil)
  }

  public func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream {
      let segments = body(for: request)
      let decoder = OllamaStreamDecoder(
        names: WireNames(tools: request.tools.lazy.map(\.name)), contextWindow: configuration.contextWindow,
        sentBytes: textBytes(of: segments, request))
      return ProviderStream<LineFrames, OllamaStreamDecoder>(
        transport: transport, errors: OllamaErrors(), decoder: decoder
      ) { httpRequest(segments) }
    }
  }

  /// What a model of the server is.
  public struct Details: Sendable, Hashable {
    /// The most tokens that its context can hold; nil when the server does not say.
    public var contextLength: Int?
    /// What it can do: `completion`, `tools`, `thinking`, `vision`, …
    public var capabilities: [String]
  }

  /// Asks the server about this model (`POST /api/show`).
  /// - Throws: `ModelError`, with the code `modelNotFound` for a model that was not pulled; `CancellationError`.
  public func details() async throws -> Details {
    let body = (["model": .string(info.id)] as JSONValue).bytes()
    let answer = try await exchange(
      HTTPRequest(.post, url("/api/show"), headers: headers(), body: .bytes(body), timeouts: configuration.timeouts))
    let facts = answer["model_info"]?.objectValue ?? [:]
    let architecture = facts["general.architecture"]?.stringValue
    let length =
      architecture.flatMap { facts["\($0).context_length"]?.intValue }
      ?? facts.first { $0.key.hasSuffix(".context_length") }?.value.intValue
    return Details(
      contextLength: length, capabilities: (answer["capabilities"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  /// The models that the server has (`GET /api/tags`).
  /// - Throws: `ModelError`, `CancellationError`.
  public func availableModels() async throws -> [ModelInfo] {
    let list = try await exchange(
      HTTPRequest(.get, url("/api/tags"), headers: headers(), timeouts: configuration.timeouts))
    guard let entries = list["models"]?.arrayValue else {
      throw ModelError(code: .invalidResponse, message: "Ollama's list of models has no `models`")
    }
    return entries.compactMap { entry in
      (entry["model"] ?? entry["name"])?.stringValue.map {
        ModelInfo(provider: Self.provider, id: $0, price: info.price)
      }
    }
  }

  private func exchange(_ request: HTTPRequest) async throws -> JSONValue {
    try await JSONExchange(transport: transport, errors: OllamaErrors()).send(request)
  }

  // MARK: - Requests

  /// The request on the wire: a pure function of the neutral one.
  package func httpRequest(for request: ModelRequest) -> HTTPRequest { httpRequest(body(for: request)) }

  private func httpRequest(_ segments: [[UInt8]]) -> HTTPRequest {
    HTTPRequest(
      .post, url("/api/chat"), headers: headers(), body: .segments(segments), timeouts: configuration.timeouts)
  }

  private func headers() -> HTTPHeaders {
    var headers: HTTPHeaders = ["content-type": "application/json"]
    if let key { headers["authorization"] = "Bearer \(key.value)" }
    return headers
  }

  private func url(_ path: String) -> String { base.url(path) }

  private func body(for request: ModelRequest) -> [[UInt8]] {
    // There is no choice of tools on this wire but to offer none.
    let tools = request.options.toolChoice == .none ? [] : request.tools
    let head = heads.head(tools: tools) { makeHead(tools) }
    var tail: JSONObject = ["stream": true, "options": .object(options(request.options))]
    if let schema = request.outputSchema { tail["format"] = schema }
    if let keepAlive = configuration.keepAlive { tail["keep_alive"] = .string(keepAlive) }
    if let level = request.options.thinking {
      // Only gpt-oss tells levels apart.
      tail["think"] = level == .off ? false : info.id.contains("gpt-oss") ? .string(level.rawValue) : true
    }
    let messages = histories.items(for: request) {
      OllamaMessageEncoder(instructions: request.instructions)
    }
    return head.body(messages, tail: tail)
  }

  private func makeHead(_ tools: [ToolDefinition]) -> RequestHead {
    var head: JSONObject = ["model": .string(info.id)]
    if !tools.isEmpty {
      let names = WireNames()
      head["tools"] = .array(
        tools.map { tool in
          [
            "type": "function",
            "function": [
              "name": .string(names.wire(tool.name)), "description": .string(tool.description),
              "parameters": OpenAISchema.parameters(tool.parameters),
            ],
          ]
        })
    }
    return RequestHead(head, list: "messages")
  }

  private func options(_ options: ModelOptions) -> JSONObject {
    var body: JSONObject = [
      "num_ctx": .number(JSONNumber(configuration.contextWindow)),
      "num_predict": .number(JSONNumber(options.maxOutputTokens ?? AgentLoop.defaultMaxOutputTokens)),
    ]
    if let temperature = options.temperature { body["temperature"] = JSONValue(finite: temperature) }
    if let topP = options.topP { body["top_p"] = JSONValue(finite: topP) }
    if let seed = options.seed { body["seed"] = .number(JSONNumber(seed)) }
    if !options.stopSequences.isEmpty { body["stop"] = .array(options.stopSequences.map { .string($0) }) }
    return body
  }

  /// The bytes of a request that become tokens: all but images, which count otherwise.
  private func textBytes(of segments: [[UInt8]], _ request: ModelRequest) -> Int {
    var count = 0
    for segment in segments { count += segment.count }
    for message in request.messages {
      for block in message.content {
        switch block.kind {
        case .media(let media): count -= media.inlineBytes
        case .toolResult(let result):
          for block in result.content { if case .media(let media) = block.kind { count -= media.inlineBytes } }
        default: break
        }
      }
    }
    return max(0, count)
  }
}

extension Media {
  fileprivate var inlineBytes: Int { if case .data(let base64) = source { base64.utf8.count } else { 0 } }
}
