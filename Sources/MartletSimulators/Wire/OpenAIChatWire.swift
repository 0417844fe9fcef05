import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting

/// OpenAI's Chat Completions. Thinking comes in `reasoning_content`, as compatible servers send it; OpenAI itself sends none.
struct OpenAIChatWire: ProviderWire {
  let framing = WireFraming.serverSentEvents(lineBreak: .lf)

  func headers(requestID: String) -> HTTPHeaders { OpenAIAnswers.headers(requestID: requestID) }

  func endpoint(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)]
  ) -> WireEndpoint? {
    OpenAIAnswers.endpoint(method, path, reply: "/chat/completions")
  }

  func key(in headers: HTTPHeaders, query: [(name: String, value: String)]) -> String? { BearerKey.read(headers) }

  func violations(in call: WireCall, issued: [[JSONValue]]) -> [RuleViolation] {
    OpenAIChatRules.check(OpenAIChatRequest(call.body))
  }

  func replies(in body: JSONValue) -> Int { WireHistory.runs(of: "assistant", in: body["messages"]) }

  func lastPrompt(in body: JSONValue) -> String {
    WireHistory.text(body["messages"]?.arrayValue?.last { $0["role"] == "user" }?["content"])
  }

  // MARK: Replies

  func stream(_ reply: SimulatedReply, to call: WireCall) -> [WireFrame] {
    let id = JSONValue.string(call.ids.make("chatcmpl-"))
    let hasUsage = call.body["stream_options"]?["include_usage"] == true
    func chunk(choices: [JSONValue], usage: JSONValue = .null) -> WireFrame {
      var chunk: JSONObject = [
        "id": id, "object": "chat.completion.chunk", "created": 1_767_225_600, "model": .string(call.model),
        "service_tier": "default", "system_fingerprint": .null, "choices": .array(choices),
      ]
      if hasUsage { chunk["usage"] = usage }
      return WireFrame(nil, .object(chunk))
    }
    func delta(_ delta: JSONValue, finish: JSONValue = .null) -> WireFrame {
      chunk(choices: [["index": 0, "delta": delta, "logprobs": .null, "finish_reason": finish]])
    }
    let calls = reply.calls
    var frames = [
      delta(["role": "assistant", "content": calls.isEmpty || !reply.text.isEmpty ? "" : .null, "refusal": .null])
    ]
    var number = 0
    for block in reply.blocks {
      switch block {
      case .thinking(let text):
        for piece in reply.pieces(of: text) { frames.append(delta(["reasoning_content": .string(piece)])) }
      case .text, .output:
        let key = reply.stopReason == .refusal ? "refusal" : "content"
        for piece in reply.pieces(of: SimulatedReply.text(of: block) ?? "") {
          frames.append(delta(.object(JSONObject([(key: key, value: .string(piece))]))))
        }
      case .call(let tool):
        let index = JSONValue(number)
        number += 1
        frames.append(
          delta([
            "tool_calls": [
              [
                "index": index, "id": .string(tool.id ?? call.ids.make("call_")), "type": "function",
                "function": ["name": .string(tool.name), "arguments": ""],
              ]
            ]
          ]))
        for piece in reply.pieces(of: tool.argumentsText) {
          frames.append(delta(["tool_calls": [["index": index, "function": ["arguments": .string(piece)]]]]))
        }
      }
    }
    frames.append(delta([:], finish: .string(Self.finish(reply.stopReason))))
    if hasUsage { frames.append(chunk(choices: [], usage: usage(call.usage(of: reply)))) }
    return frames + [WireFrame(text: "[DONE]")]
  }

  func whole(_ reply: SimulatedReply, to call: WireCall) -> JSONValue {
    let isRefusal = reply.stopReason == .refusal
    let text: JSONValue = reply.text.isEmpty ? .null : .string(reply.text)
    var message: JSONObject = [
      "role": "assistant", "content": isRefusal ? .null : text, "refusal": isRefusal ? text : .null,
    ]
    if !reply.thinking.isEmpty { message["reasoning_content"] = .string(reply.thinking) }
    let calls = reply.calls.map { tool -> JSONValue in
      [
        "id": .string(tool.id ?? call.ids.make("call_")), "type": "function",
        "function": ["name": .string(tool.name), "arguments": .string(tool.argumentsText)],
      ]
    }
    if !calls.isEmpty { message["tool_calls"] = .array(calls) }
    return [
      "id": .string(call.ids.make("chatcmpl-")), "object": "chat.completion", "created": 1_767_225_600,
      "model": .string(call.model),
      "choices": [
        [
          "index": 0, "message": .object(message), "logprobs": .null,
          "finish_reason": .string(Self.finish(reply.stopReason)),
        ]
      ], "usage": usage(call.usage(of: reply)), "service_tier": "default", "system_fingerprint": .null,
    ]
  }

  private static func finish(_ reason: StopReason) -> String {
    switch reason {
    case .endTurn, .stopSequence, .refusal: "stop"
    case .toolUse: "tool_calls"
    case .maxTokens, .contextWindowExceeded: "length"
    default: reason.rawValue
    }
  }

  private func usage(_ usage: Usage) -> JSONValue {
    [
      "prompt_tokens": JSONValue(usage.input), "completion_tokens": JSONValue(usage.output),
      "total_tokens": JSONValue(usage.total),
      "prompt_tokens_details": ["cached_tokens": JSONValue(usage.cachedInput), "audio_tokens": 0],
      "completion_tokens_details": ["reasoning_tokens": JSONValue(usage.reasoning), "audio_tokens": 0],
    ]
  }

  /// The service has no such endpoint; nothing asks for it.
  func tokenCount(_ count: Int) -> JSONValue { ["object": "tokens", "count": JSONValue(count)] }
  func modelList(_ names: [String]) -> JSONValue { OpenAIAnswers.modelList(names) }

  // MARK: Failures

  func errorBody(_ failure: WireFailure, requestID: String) -> JSONValue { OpenAIAnswers.errorBody(failure) }
  func errorFrame(_ failure: WireFailure, requestID: String) -> WireFrame {
    WireFrame(nil, OpenAIAnswers.errorBody(failure))
  }
  func keyFailure(isMissing: Bool) -> WireFailure { OpenAIAnswers.keyFailure(isMissing: isMissing) }
  func pathFailure(_ method: HTTPRequest.Method, _ path: String) -> WireFailure {
    OpenAIAnswers.pathFailure(method, path)
  }
  func modelFailure(_ model: String) -> WireFailure { OpenAIAnswers.modelFailure(model) }
  func bodyFailure(_ error: JSONError) -> WireFailure { OpenAIAnswers.bodyFailure(error) }
}
