import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// Anthropic's Messages API.
struct AnthropicWire: ProviderWire {
  let framing = WireFraming.serverSentEvents(lineBreak: .lf)

  func headers(requestID: String) -> HTTPHeaders {
    ["request-id": requestID, "anthropic-organization-id": "00000000-0000-4000-8000-000000000000"]
  }

  func endpoint(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]
  ) -> WireEndpoint? {
    switch (method, path) {
    case (.post, "/v1/messages"): .reply(model: nil, streams: nil)
    case (.post, "/v1/messages/count_tokens"): .countTokens(model: nil)
    case (.get, "/v1/models"): .models
    default: nil
    }
  }

  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String? {
    headers["x-api-key"] ?? BearerKey.read(headers)
  }

  func headFailure(_ headers: HTTPHeaders) -> WireFailure? {
    guard let version = headers["anthropic-version"], !version.isEmpty else {
      return WireFailure(400, type: "invalid_request_error", "anthropic-version: header is required")
    }
    guard ["2023-01-01", "2023-06-01", "2026-10-21"].contains(version) else {
      return WireFailure(
        400, type: "invalid_request_error", "anthropic-version: \"\(version)\" is not a valid version")
    }
    return nil
  }

  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation] {
    AnthropicRules.check(request(call, issued: issued))
  }

  private func request(_ call: WireCall, issued: [[JSONValue]] = []) -> AnthropicRequest {
    AnthropicRequest(call.body, version: call.headers["anthropic-version"] ?? "2023-06-01", issued: issued)
  }

  func replies(in body: JSONValue) -> Int { WireHistory.runs(of: "assistant", in: body["messages"]) }

  func lastPrompt(in body: JSONValue) -> String {
    let message = body["messages"]?.arrayValue?.last { $0["role"] == "user" }
    return WireHistory.text(message?["content"])
  }

  // MARK: Replies

  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame] {
    let usage = call.usage(of: reply)
    var start = message(reply, call, content: [], usage: self.usage(usage, output: 1))
    start["stop_reason"] = .null
    var frames = [
      WireFrame("message_start", ["type": "message_start", "message": .object(start)]),
      WireFrame("ping", ["type": "ping"]),
    ]
    for (index, block) in content(reply, call).enumerated() {
      let number = JSONValue(index)
      func delta(_ delta: JSONValue) {
        frames.append(
          WireFrame("content_block_delta", ["type": "content_block_delta", "index": number, "delta": delta]))
      }
      var begun = block
      switch block["type"] {
      case "text"?: begun["text"] = ""
      case "thinking"?: (begun["thinking"], begun["signature"]) = ("", "")
      default: begun["input"] = [:]
      }
      frames.append(
        WireFrame(
          "content_block_start",
          ["type": "content_block_start", "index": number, "content_block": .object(begun)]))
      switch block["type"] {
      case "text"?:
        for piece in reply.pieces(of: block["text"]?.stringValue ?? "") {
          delta(["type": "text_delta", "text": .string(piece)])
        }
      case "thinking"?:
        for piece in reply.pieces(of: block["thinking"]?.stringValue ?? "") {
          delta(["type": "thinking_delta", "thinking": .string(piece)])
        }
        delta(["type": "signature_delta", "signature": block["signature"] ?? ""])
      default:
        // The service begins with an empty piece; a call without arguments has nothing else.
        delta(["type": "input_json_delta", "partial_json": ""])
        let text = callText(index, reply)
        if text != "{}" {
          for piece in reply.pieces(of: text) {
            delta(["type": "input_json_delta", "partial_json": .string(piece)])
          }
        }
      }
      frames.append(WireFrame("content_block_stop", ["type": "content_block_stop", "index": number]))
    }
    let end: JSONValue = [
      "type": "message_delta", "delta": ["stop_reason": .string(reply.stopReason.rawValue), "stop_sequence": .null],
      "usage": self.usage(usage, output: usage.output),
    ]
    return frames + [WireFrame("message_delta", end), WireFrame("message_stop", ["type": "message_stop"])]
  }

  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue {
    let usage = call.usage(of: reply)
    return .object(
      message(
        reply, call, content: content(reply, call).map { .object($0) }, usage: self.usage(usage, output: usage.output)))
  }

  private func message(
    _ reply: SimulatedReply, _ call: WireCall, content: [JSONValue], usage: JSONValue
  ) -> JSONObject {
    [
      "id": .string(call.ids.make("msg_")), "type": "message", "role": "assistant", "model": .string(call.model),
      "content": .array(content), "stop_reason": .string(reply.stopReason.rawValue), "stop_sequence": .null,
      "usage": usage,
    ]
  }

  private func callText(_ index: Int, _ reply: SimulatedReply) -> String {
    if case .call(let call) = reply.blocks[index] { call.argumentsText } else { "" }
  }

  private func content(_ reply: SimulatedReply, _ call: WireCall) -> [JSONObject] {
    reply.blocks.map { block in
      switch block {
      case .text, .output: ["type": "text", "text": .string(SimulatedReply.text(of: block) ?? "")]
      case .thinking(let text):
        [
          "type": "thinking", "thinking": .string(text),
          "signature": .string(AnthropicSignature.bound(to: request(call))),
        ]
      case .call(let tool):
        [
          "type": "tool_use", "id": .string(tool.id ?? call.ids.make("toolu_")), "name": .string(tool.name),
          "input": tool.argumentsValue,
        ]
      }
    }
  }

  private func usage(_ usage: Usage, output: Int) -> JSONValue {
    [
      "input_tokens": JSONValue(max(0, usage.input - usage.cachedInput - usage.cacheWrite)),
      "cache_creation_input_tokens": JSONValue(usage.cacheWrite),
      "cache_read_input_tokens": JSONValue(usage.cachedInput), "output_tokens": JSONValue(output),
      "output_tokens_details": ["thinking_tokens": JSONValue(usage.reasoning)], "service_tier": "standard",
    ]
  }

  func tokenCount(_ count: Int) -> JSONValue { ["input_tokens": JSONValue(count)] }

  func modelList(_ names: [String]) -> JSONValue {
    [
      "data": .array(
        names.map { name in
          [
            "type": "model", "id": .string(name), "display_name": .string(name), "created_at": "2026-01-01T00:00:00Z",
          ]
        }), "has_more": false, "first_id": names.first.map { .string($0) } ?? .null,
      "last_id": names.last.map { .string($0) } ?? .null,
    ]
  }

  // MARK: Failures

  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue {
    let (type, message) = Self.words(for: failure.status)
    return [
      "type": "error",
      "error": ["type": .string(failure.type ?? type), "message": .string(failure.message ?? message)],
      "request_id": .string(requestID),
    ]
  }

  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame {
    WireFrame("error", errorBody(failure, requestID: requestID))
  }

  private static func words(for status: Int) -> (type: String, message: String) {
    switch status {
    case 400: ("invalid_request_error", "The request is not valid.")
    case 401: ("authentication_error", "invalid x-api-key")
    case 402: ("billing_error", "Your credit balance is too low to access the Anthropic API.")
    case 403: ("permission_error", "Your API key does not have permission to use the specified resource.")
    case 404: ("not_found_error", "Not found")
    case 413: ("request_too_large", "Request exceeds the maximum size")
    case 429: ("rate_limit_error", "This request would exceed your organization's rate limit.")
    case 504: ("timeout_error", "Request timed out")
    case 529: ("overloaded_error", "Overloaded")
    case 500...: ("api_error", "Internal server error")
    default: ("invalid_request_error", "The request cannot be answered.")
    }
  }

  func keyFailure(isMissing: Bool) -> WireFailure {
    WireFailure(401, type: "authentication_error", isMissing ? "x-api-key header is required" : "invalid x-api-key")
  }

  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    WireFailure(404, type: "not_found_error", "Not Found")
  }

  func modelFailure(_ model: String) -> WireFailure { WireFailure(404, type: "not_found_error", "model: \(model)") }

  func bodyFailure(_ error: JSONError) -> WireFailure {
    WireFailure(
      400, type: "invalid_request_error",
      "The request body is not valid JSON: \(error.message): line \(error.position.line) column \(error.position.column)"
    )
  }
}
