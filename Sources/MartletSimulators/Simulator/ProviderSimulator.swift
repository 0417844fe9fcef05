import Martlet
public import MartletHTTP
import MartletJSON
import MartletSync
public import MartletTesting

/// A service of a model provider that answers by a script: strictly, with the provider's own refusals, and with the faults
/// that are asked for.
///
/// What the real service refuses is refused, with its status and its words (the `HistoryRules` of `MartletTesting`): calls
/// without results, results without calls, ids used twice, empty text, impossible names, thinking that was changed,
/// parameters that a model does not take. So a client that works against a simulator has kept the rules.
///
/// Use it in process through ``transport``, or over HTTP with ``withServer(port:_:)`` or ``routes()``.
public final class ProviderSimulator: Sendable {
  /// A provider's protocol.
  public enum Provider: String, Sendable, Hashable, CaseIterable {
    /// Anthropic's Messages API.
    case anthropic
    /// OpenAI's Chat Completions.
    case openAI = "openai"
    /// OpenAI's Responses API.
    case openAIResponses = "openai-responses"
    /// Google's Gemini API.
    case gemini
    /// Ollama's own chat endpoint.
    case ollama
  }

  private struct State {
    var script: SimulatorScript
    var requests = 0
    var exchanges: [Int: SimulatedExchange] = [:]
    var next = 0
    /// Contents of Anthropic's replies by the ids of their calls, with how their conversations began: one that begins
    /// otherwise is another conversation, into which no thinking has to be taken.
    var issued: [String: (content: [JSONValue], opening: JSONValue?)] = [:]
    var issuedOrder: [String] = []
  }

  /// Exchanges that are kept; the oldest go first.
  private static let keptExchanges = 1_000
  private static let keptIssued = 10_000

  /// Whose service it is.
  public let provider: Provider
  private let wire: any ProviderWire
  private let clock: any Clock<Duration>
  private let ids = WireIDs()
  private let state: Locked<State>

  /// A simulator.
  /// - Parameter clock: for the delays of faults.
  public init(_ provider: Provider, script: SimulatorScript = .echo, clock: any Clock<Duration> = ContinuousClock()) {
    self.provider = provider
    self.clock = clock
    wire =
      switch provider {
      case .anthropic: AnthropicWire()
      case .openAI: OpenAIChatWire()
      case .openAIResponses: OpenAIResponsesWire()
      case .gemini: GeminiWire()
      case .ollama: OllamaWire()
      }
    state = Locked(State(script: script))
  }

  /// The script. A new one holds from the next request, with its faults from the beginning.
  public var script: SimulatorScript {
    get { state.withLock { $0.script } }
    set {
      state.withLock { state in
        state.script = newValue
        state.requests = 0
      }
    }
  }

  /// The latest exchanges, at most 1,000, oldest first.
  public var exchanges: [SimulatedExchange] {
    state.withLock { state in state.exchanges.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// What was wrong with all requests so far; empty when the client kept every rule.
  public var violations: [RuleViolation] { exchanges.flatMap(\.violations) }

  /// A transport that reaches the simulator in process, under any host.
  public var transport: any HTTPTransport { SimulatorTransport(simulator: self) }

  // MARK: Answering

  /// Answers a request.
  /// - Parameter target: path and query.
  /// - Throws: what reading the body throws, and `CancellationError` while a fault delays the answer.
  public func answer(
    _ method: HTTPRequest.Method, _ target: String, headers: HTTPHeaders, body: HTTPBody
  ) async throws -> HTTPResponse {
    let (path, query) = Self.split(target)
    let requestID = ids.make("req_")
    guard let endpoint = wire.endpoint(method, path, query: query) else {
      return refuse(wire.pathFailure(method, path), [], "\(method) \(path)", .null, requestID)
    }
    let (script, fault) = state.withLock { state -> (SimulatorScript, SimulatedFault?) in
      guard case .reply = endpoint else { return (state.script, nil) }
      defer { state.requests += 1 }
      return (state.script, state.script.fault(of: state.requests))
    }
    if let delay = fault?.headDelay { try await clock.sleep(for: delay) }
    let bytes: [UInt8]
    do {
      bytes = try await body.bytes(limit: wire.bodyLimit)
    } catch let error as HTTPError where error.code == .tooLarge {
      return refuse(WireFailure(413), [], "\(method) \(path)", .null, requestID)
    }
    var read = JSONValue.null
    var mistake: WireFailure?
    if method == .post {
      do { read = try JSONValue(parsing: bytes) } catch { mistake = wire.bodyFailure(error) }
    }
    let answering = Answering(
      endpoint: endpoint, target: "\(method) \(path)", headers: headers, query: query, body: read, size: bytes.count,
      requestID: requestID, script: script, fault: fault)
    if let failure = headFailure(of: answering) ?? mistake {
      return refuse(failure, [], answering.target, read, requestID, fault)
    }
    return respond(to: answering)
  }

  /// A request whose body is there.
  private struct Answering {
    let endpoint: WireEndpoint
    let target: String
    let headers: HTTPHeaders
    let query: [(name: String, value: String)]
    let body: JSONValue
    let size: Int
    let requestID: String
    let script: SimulatorScript
    let fault: SimulatedFault?
  }

  private func headFailure(of request: Answering) -> WireFailure? {
    let key = wire.key(in: request.headers, query: request.query)
    if let expected = request.script.key {
      if key != expected { return wire.keyFailure(isMissing: key == nil) }
    } else if wire.needsKey, key?.isEmpty ?? true {
      return wire.keyFailure(isMissing: true)
    }
    return wire.headFailure(request.headers)
  }

  private func respond(to request: Answering) -> HTTPResponse {
    switch request.endpoint {
    case .models:
      return document(wire.modelList(request.script.models ?? ["simulated-model"]), request, status: 200, [])
    case .countTokens(let model):
      let call = call(request, model: model)
      if let violation = wire.violations(in: call, issued: issued(in: request.body)).first(where: { !$0.isAboutLimit })
      {
        return refuse(WireFailure(violation), [violation], request.target, request.body, request.requestID)
      }
      return document(wire.tokenCount(request.size / 4 + 1), request, status: 200, [])
    case .reply(let model, let streams):
      return reply(to: request, call(request, model: model), streams: streams)
    }
  }

  private func call(_ request: Answering, model: String?) -> WireCall {
    WireCall(
      body: request.body, headers: request.headers, model: model ?? request.body["model"]?.stringValue ?? "",
      size: request.size, requestID: request.requestID, ids: ids)
  }

  private func reply(to request: Answering, _ call: WireCall, streams: Bool?) -> HTTPResponse {
    let fault = request.fault
    if let models = request.script.models, !models.contains(call.model) {
      return refuse(wire.modelFailure(call.model), [], request.target, request.body, request.requestID, fault)
    }
    let violations = wire.violations(in: call, issued: issued(in: request.body))
    if let first = violations.first {
      return refuse(WireFailure(first), violations, request.target, request.body, request.requestID, fault)
    }
    if let status = fault?.status, status >= 300 {
      return refuse(
        WireFailure(fault ?? SimulatedFault(), status: status), [], request.target, request.body, request.requestID,
        fault)
    }
    let count = wire.replies(in: request.body)
    let scripted =
      request.script.replies.isEmpty
      ? SimulatedReply.text("You said: \(wire.lastPrompt(in: request.body))") : request.script.reply(after: count)
    guard let reply = scripted else {
      return refuse(
        WireFailure(500, "The script has no reply \(count + 1)."), [], request.target, request.body, request.requestID,
        fault)
    }
    let isStream = streams ?? request.body["stream"]?.boolValue ?? (provider == .ollama)
    guard isStream, fault?.isWhole != true else {
      let whole = wire.whole(reply, to: call)
      keep(whole["content"]?.arrayValue ?? [], of: request.body)
      return document(whole, request, status: 200, [])
    }
    var frames = wire.stream(reply, to: call)
    keepStreamed(frames, of: request.body)
    if let count = fault?.errorAfter {
      let failure = WireFailure(fault ?? SimulatedFault(), status: provider == .anthropic ? 529 : 500)
      frames = frames.prefix(count) + [wire.errorFrame(failure, requestID: request.requestID)]
    }
    let bytes = frames.map { wire.framing.bytes($0, fault: fault) }
    return send(
      bytes, type: wire.framing.mediaType, status: 200, [], request.target, request.body, request.requestID, fault)
  }

  private func document(
    _ json: JSONValue, _ request: Answering, status: Int, _ violations: [RuleViolation]
  ) -> HTTPResponse {
    send(
      [json.bytes()], type: "application/json", status: status, violations, request.target, request.body,
      request.requestID, request.fault)
  }

  private func refuse(
    _ failure: WireFailure, _ violations: [RuleViolation], _ target: String, _ body: JSONValue, _ requestID: String,
    _ fault: SimulatedFault? = nil
  ) -> HTTPResponse {
    send(
      [wire.errorBody(failure, requestID: requestID).bytes()], type: "application/json", status: failure.status,
      violations, target, body, requestID, fault)
  }

  private func send(
    _ frames: [[UInt8]], type: String, status: Int, _ violations: [RuleViolation], _ target: String, _ body: JSONValue,
    _ requestID: String, _ fault: SimulatedFault?
  ) -> HTTPResponse {
    let exchange = state.withLock { state in
      let number = state.next
      state.next += 1
      state.exchanges[number] = SimulatedExchange(
        target: target, body: body, status: status, violations: violations, end: .open)
      state.exchanges[number - Self.keptExchanges] = nil
      return number
    }
    var headers = wire.headers(requestID: requestID)
    headers["content-type"] = fault?.contentType ?? type
    for field in fault?.headers ?? [:] { headers[field.name] = field.value }
    let frames = fault?.body.map { $0.isEmpty ? [] : [Array($0.utf8)] } ?? frames
    let plan = SimulatedBody.Plan(frames, fault)
    return HTTPResponse(
      status: status, headers: headers,
      body: HTTPBody(
        SimulatedBody(plan, clock: clock) { [self] end in
          state.withLock { $0.exchanges[exchange]?.end = end }
        }))
  }

  // MARK: What was said before

  /// Keeps the content of a reply, to know its thinking again.
  private func keep(_ content: [JSONValue], of body: JSONValue) {
    guard provider == .anthropic else { return }
    let ids = content.compactMap { $0["type"] == "tool_use" ? $0["id"]?.stringValue : nil }
    guard let first = ids.first else { return }
    state.withLock { state in
      state.issued[first] = (content, Self.opening(of: body))
      state.issuedOrder.append(first)
      if state.issuedOrder.count > Self.keptIssued { state.issued[state.issuedOrder.removeFirst()] = nil }
    }
  }

  private func keepStreamed(_ frames: [WireFrame], of body: JSONValue) {
    guard provider == .anthropic else { return }
    // The blocks as a client puts them together, as far as the rules look at them: thinking, and the ids of calls.
    var content: [JSONValue] = []
    for frame in frames where frame.name == "content_block_start" || frame.name == "content_block_delta" {
      guard let event = try? JSONValue(parsing: frame.data) else { continue }
      if let block = event["content_block"] {
        content.append(block)
      } else if let delta = event["delta"], let index = event["index"]?.intValue, content.indices.contains(index) {
        if let text = delta["thinking"]?.stringValue {
          content[index]["thinking"] = .string((content[index]["thinking"]?.stringValue ?? "") + text)
        }
        if let signature = delta["signature"] { content[index]["signature"] = signature }
      }
    }
    keep(content, of: body)
  }

  /// The replies given in a conversation, as far as they called tools.
  private func issued(in body: JSONValue) -> [[JSONValue]] {
    guard provider == .anthropic else { return [] }
    let ids = (body["messages"]?.arrayValue ?? []).flatMap { message in
      (message["content"]?.arrayValue ?? []).compactMap { $0["type"] == "tool_use" ? $0["id"]?.stringValue : nil }
    }
    let opening = Self.opening(of: body)
    return state.withLock { state in
      ids.compactMap { state.issued[$0] }.filter { $0.opening == opening }.map(\.content)
    }
  }

  /// The first message without what is for caches.
  private static func opening(of body: JSONValue) -> JSONValue? {
    guard let first = body["messages"]?[0] else { return nil }
    guard let content = first["content"]?.arrayValue else { return first["content"] }
    return .array(
      content.map { block in
        guard var object = block.objectValue else { return block }
        object.removeValue(forKey: "cache_control")
        return .object(object)
      })
  }

  private static func split(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(pair[0]), value: pair.count > 1 ? String(pair[1]) : "")
    }
    return (String(parts[0]), query)
  }
}

extension RuleViolation {
  /// Whether it is about the limit of the reply, which counting does not need.
  fileprivate var isAboutLimit: Bool { message.hasPrefix("max_tokens") }
}
