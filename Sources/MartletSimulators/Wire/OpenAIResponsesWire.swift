import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// OpenAI's Responses API, without state: what is referred to by id is not known here.
struct OpenAIResponsesWire: ProviderWire {
  let framing = WireFraming.serverSentEvents(lineBreak: .lf)

  func headers(requestID: String) -> HTTPHeaders { OpenAIAnswers.headers(requestID: requestID) }

  func endpoint(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]
  ) -> WireEndpoint? {
    OpenAIAnswers.endpoint(method, path, reply: "/responses")
  }

  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String? { BearerKey.read(headers) }

  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation] {
    OpenAIResponsesRules.check(OpenAIResponsesRequest(call.body))
  }

  func replies(in body: JSONValue) -> Int {
    var count = 0
    var isInside = false
    for item in body["input"]?.arrayValue ?? [] {
      let kind = item["type"]?.stringValue ?? "message"
      let isOutput =
        kind == "message" ? item["role"] == "assistant" : kind == "reasoning" || kind.hasSuffix("_call")
      if isOutput, !isInside { count += 1 }
      isInside = isOutput
    }
    return count
  }

  func lastPrompt(in body: JSONValue) -> String {
    if let text = body["input"]?.stringValue { return text }
    return WireHistory.text(body["input"]?.arrayValue?.last { $0["role"] == "user" }?["content"])
  }

  // MARK: Replies

  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame] {
    var frames: [WireFrame] = []
    func send(_ type: String, _ fields: JSONObject) {
      var event: JSONObject = ["type": .string(type), "sequence_number": JSONValue(frames.count)]
      for (key, value) in fields { event[key] = value }
      frames.append(WireFrame(type, .object(event)))
    }
    let id = call.ids.make("resp_", length: 48)
    let items = items(reply, call)
    let begun = JSONValue.object(response(id, call, status: "in_progress", output: [], usage: nil))
    send("response.created", ["response": begun])
    send("response.in_progress", ["response": begun])
    for (index, item) in items.enumerated() {
      stream(item, JSONValue(index), reply, send)
    }
    let (status, type) = Self.end(reply.stopReason)
    var whole = response(
      id, call, status: status, output: items.map { .object($0) }, usage: usage(call.usage(of: reply)))
    if status == "incomplete" { whole["incomplete_details"] = ["reason": .string(Self.reason(reply.stopReason))] }
    send(type, ["response": .object(whole)])
    return frames
  }

  private func stream(
    _ item: JSONObject, _ index: JSONValue, _ reply: SimulatedReply, _ send: (String, JSONObject) -> Void
  ) {
    let id = item["id"] ?? ""
    var begun = item
    begun["status"] = "in_progress"
    switch item["type"] {
    case "reasoning"?:
      begun["summary"] = []
      begun.removeValue(forKey: "status")
      send("response.output_item.added", ["output_index": index, "item": .object(begun)])
      for (number, part) in (item["summary"]?.arrayValue ?? []).enumerated() {
        let place: JSONObject = ["item_id": id, "output_index": index, "summary_index": JSONValue(number)]
        let text = part["text"]?.stringValue ?? ""
        send("response.reasoning_summary_part.added", place.adding("part", ["type": "summary_text", "text": ""]))
        for piece in reply.pieces(of: text) {
          send("response.reasoning_summary_text.delta", place.adding("delta", .string(piece)))
        }
        send("response.reasoning_summary_text.done", place.adding("text", .string(text)))
        send("response.reasoning_summary_part.done", place.adding("part", part))
      }
    case "function_call"?:
      begun["arguments"] = ""
      send("response.output_item.added", ["output_index": index, "item": .object(begun)])
      let place: JSONObject = ["item_id": id, "output_index": index]
      let text = item["arguments"]?.stringValue ?? ""
      for piece in reply.pieces(of: text) {
        send("response.function_call_arguments.delta", place.adding("delta", .string(piece)))
      }
      send("response.function_call_arguments.done", place.adding("arguments", .string(text)))
    default:
      begun["content"] = []
      send("response.output_item.added", ["output_index": index, "item": .object(begun)])
      for (number, part) in (item["content"]?.arrayValue ?? []).enumerated() {
        let place: JSONObject = ["item_id": id, "output_index": index, "content_index": JSONValue(number)]
        let key = part["type"] == "refusal" ? "refusal" : "text"
        let event = key == "text" ? "response.output_text" : "response.refusal"
        let text = part[key]?.stringValue ?? ""
        var empty = part
        empty[key] = ""
        send("response.content_part.added", place.adding("part", empty))
        for piece in reply.pieces(of: text) { send("\(event).delta", place.adding("delta", .string(piece))) }
        send("\(event).done", place.adding(key, .string(text)))
        send("response.content_part.done", place.adding("part", part))
      }
    }
    send("response.output_item.done", ["output_index": index, "item": .object(item)])
  }

  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue {
    let (status, _) = Self.end(reply.stopReason)
    var whole = response(
      call.ids.make("resp_", length: 48), call, status: status, output: items(reply, call).map { .object($0) },
      usage: usage(call.usage(of: reply)))
    if status == "incomplete" { whole["incomplete_details"] = ["reason": .string(Self.reason(reply.stopReason))] }
    return .object(whole)
  }

  private func response(
    _ id: String, _ call: WireCall, status: String, output: [JSONValue], usage: JSONValue?
  ) -> JSONObject {
    [
      "id": .string(id), "object": "response", "created_at": 1_767_225_600, "status": .string(status), "error": .null,
      "incomplete_details": .null, "instructions": call.body["instructions"] ?? .null,
      "max_output_tokens": call.body["max_output_tokens"] ?? .null, "model": .string(call.model),
      "output": .array(output), "parallel_tool_calls": true, "previous_response_id": .null,
      "store": call.body["store"] ?? true, "usage": usage ?? .null,
    ]
  }

  private func items(_ reply: SimulatedReply, _ call: WireCall) -> [JSONObject] {
    let isEncrypted =
      call.body["include"]?.arrayValue?.contains("reasoning.encrypted_content") ?? false
    return reply.blocks.map { block in
      switch block {
      case .thinking(let text):
        var item: JSONObject = [
          "id": .string(call.ids.make("rs_", length: 48)), "type": "reasoning",
          "summary": text.isEmpty ? [] : [["type": "summary_text", "text": .string(text)]],
        ]
        if isEncrypted { item["encrypted_content"] = .string(call.ids.make("gAAAAA", length: 64)) }
        return item
      case .text, .output:
        let text = JSONValue.string(SimulatedReply.text(of: block) ?? "")
        let part: JSONValue =
          reply.stopReason == .refusal
          ? ["type": "refusal", "refusal": text]
          : ["type": "output_text", "annotations": [], "logprobs": [], "text": text]
        return [
          "id": .string(call.ids.make("msg_", length: 48)), "type": "message", "status": "completed",
          "content": [part], "role": "assistant",
        ]
      case .call(let tool):
        return [
          "id": .string(call.ids.make("fc_", length: 48)), "type": "function_call", "status": "completed",
          "arguments": .string(tool.argumentsText), "call_id": .string(tool.id ?? call.ids.make("call_")),
          "name": .string(tool.name),
        ]
      }
    }
  }

  private static func end(_ reason: StopReason) -> (status: String, type: String) {
    switch reason {
    case .maxTokens, .contentFilter, .contextWindowExceeded: ("incomplete", "response.incomplete")
    default: ("completed", "response.completed")
    }
  }

  private static func reason(_ reason: StopReason) -> String {
    reason == .contentFilter ? "content_filter" : "max_output_tokens"
  }

  private func usage(_ usage: Usage) -> JSONValue {
    [
      "input_tokens": JSONValue(usage.input),
      "input_tokens_details": ["cached_tokens": JSONValue(usage.cachedInput)],
      "output_tokens": JSONValue(usage.output),
      "output_tokens_details": ["reasoning_tokens": JSONValue(usage.reasoning)],
      "total_tokens": JSONValue(usage.total),
    ]
  }

  /// Nothing asks for it here.
  func tokenCount(_ count: Int) -> JSONValue {
    ["object": "response.input_tokens", "input_tokens": JSONValue(count)]
  }
  func modelList(_ names: [String]) -> JSONValue { OpenAIAnswers.modelList(names) }

  // MARK: Failures

  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue { OpenAIAnswers.errorBody(failure) }

  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame {
    let error = OpenAIAnswers.errorBody(failure)["error"]
    return WireFrame(
      "error",
      [
        "type": "error", "sequence_number": 0, "code": error?["code"] ?? .null, "message": error?["message"] ?? "",
        "param": .null,
      ])
  }

  func keyFailure(isMissing: Bool) -> WireFailure { OpenAIAnswers.keyFailure(isMissing: isMissing) }
  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    OpenAIAnswers.pathFailure(method, path)
  }
  func modelFailure(_ model: String) -> WireFailure { OpenAIAnswers.modelFailure(model) }
  func bodyFailure(_ error: JSONError) -> WireFailure { OpenAIAnswers.bodyFailure(error) }
}

extension JSONObject {
  /// With one member more.
  fileprivate func adding(_ key: String, _ value: JSONValue) -> JSONObject {
    var object = self
    object[key] = value
    return object
  }
}
