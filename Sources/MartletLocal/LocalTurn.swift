public import Martlet
public import MartletJSON

/// One turn of a model for a request in the form of OpenAI's Chat Completions.
public struct LocalTurn: Sendable {
  /// What the model said.
  public var text: String
  /// The calls it asks for.
  public var calls: [ToolCall]
  /// The tokens it took.
  public var usage: Usage

  /// Asks a model.
  /// - Parameter body: `messages`, `tools`, `tool_choice`, `parallel_tool_calls`, `max_tokens` or
  ///   `max_completion_tokens`, `temperature`, `top_p`, `seed`, `stop`; other members are ignored.
  /// - Throws: `ModelError` with `invalidRequest` when the body has not that form, and whatever the model throws.
  public static func run(_ body: JSONValue, model: some LanguageModel) async throws -> LocalTurn {
    var turn = LocalTurn(text: "", calls: [], usage: Usage())
    for try await event in model.stream(try request(body)) {
      switch event {
      case .block(let block, _):
        switch block.kind {
        case .text(let text): turn.text += text
        case .toolCall(let call): turn.calls.append(call)
        default: break
        }
      case .finished(_, let usage): turn.usage = usage
      default: break
      }
    }
    return turn
  }

  /// `{"text", "calls": [[name, arguments], …], "usage": {"prompt_tokens", "completion_tokens"}}`.
  public var json: JSONValue {
    [
      "text": .string(text),
      "calls": .array(
        calls.map { call in
          let arguments: JSONValue =
            switch call.arguments {
            case .object(let object): .object(object)
            case .unparsed(let text, _): .string(text)
            }
          return [.string(call.name), arguments]
        }),
      "usage": ["prompt_tokens": JSONValue(usage.input), "completion_tokens": JSONValue(usage.output)],
    ]
  }

  // MARK: Reading the request

  /// The request that a Chat Completions body stands for.
  public static func request(_ body: JSONValue) throws(ModelError) -> ModelRequest {
    guard let messages = body["messages"]?.arrayValue else { throw invalid("messages must be a list") }
    var instructions: [ContentBlock] = []
    var history = MessageHistory()
    var results: [ToolResult] = []
    var names: [String: String] = [:]
    for (index, message) in messages.enumerated() {
      let role = message["role"]?.stringValue ?? ""
      if role != "tool", !results.isEmpty {
        history.append(.tool(results))
        results = []
      }
      let text = try text(message["content"], at: index)
      switch role {
      case "system", "developer":
        if history.isEmpty { instructions.append(.text(text)) } else { history.append(.system(text)) }
      case "user": history.append(.user(text))
      case "assistant":
        var calls: [ToolCall] = []
        for call in message["tool_calls"]?.arrayValue ?? [] {
          guard let id = call["id"]?.stringValue, let name = call["function"]?["name"]?.stringValue else {
            throw invalid("tool_calls of message \(index) need an id and a function with a name")
          }
          names[id] = name
          calls.append(
            ToolCall(id: id, name: name, argumentsText: call["function"]?["arguments"]?.stringValue ?? ""))
        }
        history.append(.assistant(text: text, toolCalls: calls))
      case "tool":
        let id = message["tool_call_id"]?.stringValue ?? ""
        results.append(ToolResult(callId: id, name: names[id] ?? "", content: [.text(text)]))
      default: throw invalid("message \(index) has the role \(role)")
      }
    }
    if !results.isEmpty { history.append(.tool(results)) }
    return ModelRequest(
      instructions: instructions, tools: try tools(body["tools"]), messages: history, options: try options(body))
  }

  private static func invalid(_ message: String) -> ModelError {
    ModelError(code: .invalidRequest, message: "The request cannot be read: \(message).")
  }

  private static func text(_ content: JSONValue?, at index: Int) throws(ModelError) -> String {
    switch content {
    case nil, .null: return ""
    case .string(let text): return text
    case .array(let parts):
      guard parts.allSatisfy({ $0["text"]?.stringValue != nil }) else {
        throw invalid("the content of message \(index) has parts that are not text")
      }
      return parts.compactMap { $0["text"]?.stringValue }.joined(separator: "\n")
    default: throw invalid("the content of message \(index) must be text")
    }
  }

  private static func tools(_ tools: JSONValue?) throws(ModelError) -> [ToolDefinition] {
    var result: [ToolDefinition] = []
    for (index, tool) in (tools?.arrayValue ?? []).enumerated() {
      guard let function = tool["function"], let name = function["name"]?.stringValue, !name.isEmpty else {
        throw invalid("tool \(index) needs a function with a name")
      }
      result.append(
        ToolDefinition(
          name: name, description: function["description"]?.stringValue ?? "",
          parameters: function["parameters"] ?? ["type": "object", "properties": [:]]))
    }
    return result
  }

  private static func options(_ body: JSONValue) throws(ModelError) -> ModelOptions {
    var options = ModelOptions()
    options.maxOutputTokens = body["max_completion_tokens"]?.intValue ?? body["max_tokens"]?.intValue
    options.temperature = body["temperature"]?.doubleValue
    options.topP = body["top_p"]?.doubleValue
    options.seed = body["seed"]?.intValue
    options.parallelToolCalls = body["parallel_tool_calls"]?.boolValue
    switch body["stop"] {
    case .string(let stop): options.stopSequences = [stop]
    case .array(let stops): options.stopSequences = stops.compactMap(\.stringValue)
    default: break
    }
    switch body["tool_choice"] {
    case nil, .null, .string("auto"): break
    case .string("none"): options.toolChoice = .none
    case .string("required"): options.toolChoice = .required
    case .some(let choice):
      guard let name = choice["function"]?["name"]?.stringValue else {
        throw invalid("tool_choice must be auto, none, required or a function")
      }
      options.toolChoice = .tool(name)
    }
    return options
  }
}
