import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// Ollama's own chat endpoint. Calls come whole; it streams unless told not to, and wants no key.
struct OllamaWire: ProviderWire {
  let framing = WireFraming.lines
  let needsKey = false

  func headers(requestID: String) -> HTTPHeaders { [:] }

  func endpoint(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]
  ) -> WireEndpoint? {
    switch (method, path) {
    case (.post, "/api/chat"): .reply(model: nil, streams: nil)
    case (.get, "/api/tags"): .models
    default: nil
    }
  }

  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String? { BearerKey.read(headers) }

  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation] {
    OllamaRules.check(OllamaRequest(call.body))
  }

  func replies(in body: JSONValue) -> Int { WireHistory.runs(of: "assistant", in: body["messages"]) }

  func lastPrompt(in body: JSONValue) -> String {
    WireHistory.text(body["messages"]?.arrayValue?.last { $0["role"] == "user" }?["content"])
  }

  // MARK: Replies

  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame] {
    var frames: [WireFrame] = []
    func send(_ message: JSONObject) {
      var whole: JSONObject = ["role": "assistant", "content": ""]
      for (key, value) in message { whole[key] = value }
      frames.append(WireFrame(nil, .object(line(call).merging("message", .object(whole)).merging("done", false))))
    }
    var number = 0
    for block in reply.blocks {
      switch block {
      case .thinking(let text): for piece in reply.pieces(of: text) { send(["thinking": .string(piece)]) }
      case .text, .output:
        for piece in reply.pieces(of: SimulatedReply.text(of: block) ?? "") { send(["content": .string(piece)]) }
      case .call(let tool):
        send(["tool_calls": [wire(tool, number, call)]])
        number += 1
      }
    }
    frames.append(WireFrame(nil, .object(end(reply, call, message: ["role": "assistant", "content": ""]))))
    return frames
  }

  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue {
    var message: JSONObject = ["role": "assistant", "content": .string(reply.text)]
    if !reply.thinking.isEmpty { message["thinking"] = .string(reply.thinking) }
    let calls = reply.calls.enumerated().map { wire($0.element, $0.offset, call) }
    if !calls.isEmpty { message["tool_calls"] = .array(calls) }
    return .object(end(reply, call, message: message))
  }

  private func wire(_ tool: SimulatedCall, _ index: Int, _ call: WireCall) -> JSONValue {
    [
      "id": .string(tool.id ?? call.ids.make("call_", length: 8)),
      "function": ["index": JSONValue(index), "name": .string(tool.name), "arguments": tool.argumentsValue],
    ]
  }

  private func line(_ call: WireCall) -> JSONObject {
    ["model": .string(call.model), "created_at": "2026-01-01T00:00:00.000000000Z"]
  }

  private func end(_ reply: SimulatedReply, _ call: WireCall, message: JSONObject) -> JSONObject {
    let usage = call.usage(of: reply)
    let fields: JSONObject = [
      "message": .object(message), "done": true, "done_reason": reply.stopReason == .maxTokens ? "length" : "stop",
      "total_duration": 7_000_000, "load_duration": 1_000_000, "prompt_eval_count": JSONValue(usage.input),
      "prompt_eval_duration": 2_000_000, "eval_count": JSONValue(usage.output), "eval_duration": 4_000_000,
    ]
    var line = line(call)
    for (key, value) in fields { line[key] = value }
    return line
  }

  /// Nothing asks for it here.
  func tokenCount(_ count: Int) -> JSONValue { ["count": JSONValue(count)] }

  func modelList(_ names: [String]) -> JSONValue {
    ["models": .array(names.map { ["name": .string($0), "model": .string($0), "size": 0] })]
  }

  // MARK: Failures

  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue {
    ["error": .string(failure.message ?? Self.words(for: failure.status))]
  }

  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame {
    WireFrame(nil, errorBody(failure, requestID: requestID))
  }

  private static func words(for status: Int) -> String {
    switch status {
    case 404: "model not found"
    case 429: "too many requests"
    case 503: "server busy, please try again.  maximum pending requests exceeded"
    default: "an unknown error was encountered while running the model"
    }
  }

  func keyFailure(isMissing: Bool) -> WireFailure { WireFailure(401, "unauthorized") }
  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    WireFailure(404, "404 page not found")
  }
  func modelFailure(_ model: String) -> WireFailure { WireFailure(404, "model '\(model)' not found") }
  func bodyFailure(_ error: JSONError) -> WireFailure { WireFailure(400, error.message) }
}

extension JSONObject {
  fileprivate func merging(_ key: String, _ value: JSONValue) -> JSONObject {
    var object = self
    object[key] = value
    return object
  }
}
