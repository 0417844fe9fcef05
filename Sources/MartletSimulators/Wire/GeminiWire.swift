import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// Google's Gemini API. Calls come whole, without ids, the first of a reply with a thought signature; lines end with CRLF,
/// as the service's do.
struct GeminiWire: ProviderWire {
  let framing = WireFraming.serverSentEvents(lineBreak: .crlf)

  func headers(requestID: String) -> HTTPHeaders { ["server-timing": "gfet4t7; dur=7", "x-request-id": requestID] }

  func endpoint(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]
  ) -> WireEndpoint? {
    guard let rest = ["/v1beta/", "/v1/"].first(where: { path.hasPrefix($0) }).map({ path.dropFirst($0.count) }) else {
      return nil
    }
    if method == .get, rest == "models" { return .models }
    guard method == .post, rest.hasPrefix("models/"), let colon = rest.lastIndex(of: ":") else { return nil }
    let model = String(rest[..<colon].dropFirst(7))
    switch rest[rest.index(after: colon)...] {
    case "generateContent": return .reply(model: model, streams: false)
    case "streamGenerateContent":
      // Without `alt=sse` the service sends a JSON array in pieces; that is not simulated.
      return query.contains { $0.name == "alt" && $0.value == "sse" } ? .reply(model: model, streams: true) : nil
    case "countTokens": return .countTokens(model: model)
    default: return nil
    }
  }

  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String? {
    headers["x-goog-api-key"] ?? query.first { $0.name == "key" }?.value ?? BearerKey.read(headers)
  }

  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation] {
    GeminiRules.check(GeminiRequest(call.body, model: call.model))
  }

  func replies(in body: JSONValue) -> Int { WireHistory.runs(of: "model", in: body["contents"]) }

  func lastPrompt(in body: JSONValue) -> String {
    let content = body["contents"]?.arrayValue?.last { ($0["role"] ?? "user") == "user" }
    return WireHistory.text(content?["parts"])
  }

  // MARK: Replies

  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame] {
    let id = call.ids.make("", length: 22)
    let usage = call.usage(of: reply)
    var frames: [WireFrame] = []
    for part in parts(reply, call, isStream: true) {
      frames.append(WireFrame(nil, chunk([part], finish: nil, id, call, usage: self.usage(usage, output: 0))))
    }
    let last = chunk(
      [["text": ""]], finish: Self.finish(reply.stopReason), id, call, usage: self.usage(usage, output: nil))
    return frames + [WireFrame(nil, last)]
  }

  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue {
    chunk(
      parts(reply, call, isStream: false), finish: Self.finish(reply.stopReason), call.ids.make("", length: 22), call,
      usage: usage(call.usage(of: reply), output: nil))
  }

  private func chunk(
    _ parts: [JSONValue], finish: String?, _ id: String, _ call: WireCall, usage: JSONValue
  ) -> JSONValue {
    var candidate: JSONObject = ["content": ["parts": .array(parts), "role": "model"]]
    if let finish { candidate["finishReason"] = .string(finish) }
    candidate["index"] = 0
    return [
      "candidates": [.object(candidate)], "usageMetadata": usage, "modelVersion": .string(call.model),
      "responseId": .string(id),
    ]
  }

  private func parts(_ reply: SimulatedReply, _ call: WireCall, isStream: Bool) -> [JSONValue] {
    var parts: [JSONValue] = []
    var needsSignature = true
    for block in reply.blocks {
      switch block {
      case .thinking(let text):
        for piece in isStream ? reply.pieces(of: text) : [text] {
          parts.append(["text": .string(piece), "thought": true])
        }
      case .text, .output:
        let text = SimulatedReply.text(of: block) ?? ""
        for piece in isStream ? reply.pieces(of: text) : [text] { parts.append(["text": .string(piece)]) }
      case .call(let tool):
        var function: JSONObject = ["name": .string(tool.name)]
        // A call without arguments has no `args` at all.
        if tool.argumentsText != "{}" { function["args"] = tool.argumentsValue }
        if let id = tool.id { function["id"] = .string(id) }
        var part: JSONObject = ["functionCall": .object(function)]
        if needsSignature { part["thoughtSignature"] = .string(call.ids.make("Cv", length: 42)) }
        needsSignature = false
        parts.append(.object(part))
      }
    }
    return parts
  }

  private static func finish(_ reason: StopReason) -> String {
    switch reason {
    case .endTurn, .toolUse, .stopSequence: "STOP"
    case .maxTokens: "MAX_TOKENS"
    case .refusal, .contentFilter: "SAFETY"
    default: reason.rawValue
    }
  }

  /// Counts grow with each chunk; the last one counts.
  private func usage(_ usage: Usage, output: Int?) -> JSONValue {
    let answer = output ?? max(0, usage.output - usage.reasoning)
    var object: JSONObject = [
      "promptTokenCount": JSONValue(usage.input), "candidatesTokenCount": JSONValue(answer),
      "totalTokenCount": JSONValue(usage.input + answer + usage.reasoning),
    ]
    if usage.reasoning > 0 { object["thoughtsTokenCount"] = JSONValue(usage.reasoning) }
    if usage.cachedInput > 0 { object["cachedContentTokenCount"] = JSONValue(usage.cachedInput) }
    return .object(object)
  }

  func tokenCount(_ count: Int) -> JSONValue { ["totalTokens": JSONValue(count)] }

  func modelList(_ names: [String]) -> JSONValue {
    [
      "models": .array(
        names.map { name in
          [
            "name": .string("models/\(name)"), "displayName": .string(name), "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent", "countTokens"],
          ]
        })
    ]
  }

  // MARK: Failures

  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue {
    let (word, message) = Self.words(for: failure.status)
    var error: JSONObject = [
      "code": JSONValue(failure.status), "message": .string(failure.message ?? message),
      "status": .string(failure.type ?? word),
    ]
    if let delay = failure.retryDelay {
      error["details"] = [
        ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": .string(delay)]
      ]
    } else if failure.code == "API_KEY_INVALID" {
      error["details"] = [
        [
          "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
          "domain": "googleapis.com", "metadata": ["service": "generativelanguage.googleapis.com"],
        ]
      ]
    }
    return ["error": .object(error)]
  }

  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame {
    WireFrame(nil, errorBody(failure, requestID: requestID))
  }

  private static func words(for status: Int) -> (String, String) {
    switch status {
    case 400: ("INVALID_ARGUMENT", "Request contains an invalid argument.")
    case 401: ("UNAUTHENTICATED", "Request had invalid authentication credentials.")
    case 403: ("PERMISSION_DENIED", "The caller does not have permission")
    case 404: ("NOT_FOUND", "Requested entity was not found.")
    case 429: ("RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.")
    case 503: ("UNAVAILABLE", "The model is overloaded. Please try again later.")
    case 504: ("DEADLINE_EXCEEDED", "Deadline expired before operation could complete.")
    default: ("INTERNAL", "An internal error has occurred.")
    }
  }

  func keyFailure(isMissing: Bool) -> WireFailure {
    isMissing
      ? WireFailure(
        403, type: "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API."
      )
      : WireFailure(
        400, type: "INVALID_ARGUMENT", code: "API_KEY_INVALID", "API key not valid. Please pass a valid API key.")
  }

  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    WireFailure(404, type: "NOT_FOUND", "The requested URL \(path) was not found on this server.")
  }

  func modelFailure(_ model: String) -> WireFailure {
    WireFailure(
      404, type: "NOT_FOUND",
      "models/\(model) is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."
    )
  }

  func bodyFailure(_ error: JSONError) -> WireFailure {
    WireFailure(400, type: "INVALID_ARGUMENT", "Invalid JSON payload received. \(error.message)")
  }
}
