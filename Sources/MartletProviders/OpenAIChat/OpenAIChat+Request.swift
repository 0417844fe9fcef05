import Martlet
import MartletJSON

extension OpenAIChat {
  /// What does not change within an epoch comes first, then the messages, then what may change.
  func body(for request: ModelRequest) -> [[UInt8]] {
    let tools = vendor.takesTools ? request.tools : []
    let head = heads.head(tools: tools) { makeHead(tools) }
    var messages = histories.items(for: request) {
      ChatMessageEncoder(
        vendor: vendor, model: info.id, instructions: request.instructions)
    }
    var tail: JSONObject = ["stream": true]
    if vendor.asksForUsage { tail["stream_options"] = ["include_usage": true] }
    tail[outputLimitField] = .number(JSONNumber(outputLimit(request.options)))
    writeThinking(request.options, into: &tail)
    writeSampling(request.options, into: &tail)
    if !tools.isEmpty { writeToolChoice(request, into: &tail) }
    if let schema = request.outputSchema { writeOutput(schema, into: &tail, messages: &messages) }
    if vendor.takesCacheKey, let prefix = request.prefix {
      tail["prompt_cache_key"] = .string(String(prefix.session.prefix(64)))
    }
    return head.body(messages, tail: tail)
  }

  private func makeHead(_ tools: [ToolDefinition]) -> RequestHead {
    var head: JSONObject = ["model": .string(info.id)]
    if !tools.isEmpty { head["tools"] = .array(tools.map(tool)) }
    return RequestHead(head, list: "messages", extra: configuration.extraBody)
  }

  /// Reasoning models refuse `max_tokens` wherever they are served.
  private var outputLimitField: String { facts.isReasoning ? "max_completion_tokens" : vendor.outputLimitField }

  private func outputLimit(_ options: ModelOptions) -> Int {
    options.maxOutputTokens ?? min(AgentLoop.defaultMaxOutputTokens, info.maxOutputTokens ?? .max)
  }

  private func tool(_ definition: ToolDefinition) -> JSONValue {
    var function: JSONObject = [
      "name": .string(WireNames().wire(definition.name)), "description": .string(definition.description),
    ]
    if configuration.usesStrictTools, vendor.takesStrictTools,
      let strict = OpenAISchema.strict(definition.parameters)
    {
      function["parameters"] = strict
      function["strict"] = true
    } else {
      function["parameters"] = OpenAISchema.parameters(definition.parameters)
    }
    return ["type": "function", "function": .object(function)]
  }

  private func writeToolChoice(_ request: ModelRequest, into body: inout JSONObject) {
    let forced = vendor.forcedToolChoice
    switch request.options.toolChoice {
    case .auto: break
    case .none: body["tool_choice"] = "none"
    case .required where forced == .required || forced == .any: body["tool_choice"] = "required"
    case .tool(let name) where forced == .byName || forced == .any:
      body["tool_choice"] = ["type": "function", "function": ["name": .string(WireNames().wire(name))]]
    case .tool where forced == .required: body["tool_choice"] = "required"
    case .required, .tool: break
    }
    if let parallel = request.options.parallelToolCalls, vendor.takesParallelToolCalls {
      body["parallel_tool_calls"] = .bool(parallel)
    }
  }

  private func writeThinking(_ options: ModelOptions, into body: inout JSONObject) {
    guard let level = options.thinking else { return }
    let isOn = level != .off
    switch vendor.thinkingControl {
    case .none: break
    case .effort(let off):
      // OpenAI's other models refuse the field.
      if facts.isOpenAIs, !facts.isReasoning { return }
      if isOn {
        body["reasoning_effort"] = .string(level.rawValue)
      } else if facts.isReasoning {
        body["reasoning_effort"] = .string(facts.leastEffort)
      } else if let off {
        body["reasoning_effort"] = .string(off)
      }
    case .type(let withEffort):
      body["thinking"] = ["type": isOn ? "enabled" : "disabled"]
      if withEffort, isOn { body["reasoning_effort"] = .string(level.rawValue) }
    case .flag: body["enable_thinking"] = .bool(isOn)
    case .template: body["chat_template_kwargs"] = ["enable_thinking": .bool(isOn)]
    case .object: body["reasoning"] = isOn ? ["effort": .string(level.rawValue)] : ["enabled": false]
    }
  }

  private func writeSampling(_ options: ModelOptions, into body: inout JSONObject) {
    let isFixed =
      facts.reasons(effort: body["reasoning_effort"]?.stringValue)
      || vendor.fixedSamplingModels.contains { info.id.hasPrefix($0) }
    if !isFixed {
      if let temperature = options.temperature { body["temperature"] = JSONValue(finite: temperature) }
      if let topP = options.topP { body["top_p"] = JSONValue(finite: topP) }
    }
    if let seed = options.seed, let field = vendor.seedField { body[field] = .number(JSONNumber(seed)) }
    if !options.stopSequences.isEmpty, !facts.isReasoning {
      body["stop"] = .array(options.stopSequences.map { .string($0) })
    }
  }

  /// A typed answer: strict where the schema can be said so without changing its meaning. Where a vendor knows no schemas
  /// they are in a last message, so that nothing before it changes.
  private func writeOutput(_ schema: JSONValue, into body: inout JSONObject, messages: inout EncodedItems) {
    switch vendor.typedAnswers {
    case .jsonSchema:
      let strict = OpenAISchema.strict(schema)
      body["response_format"] = [
        "type": "json_schema",
        "json_schema": ["name": "answer", "schema": strict ?? schema, "strict": .bool(strict != nil)],
      ]
      return
    case .jsonObject: body["response_format"] = ["type": "json_object"]
    case .message: break
    }
    let role = vendor.roleOrder == .free ? vendor.instructionRole(isReasoning: facts.isReasoning) : "user"
    let text = "Answer with one JSON object and nothing else. It must be valid for this JSON Schema: \(schema.text())"
    messages.append((["role": .string(role), "content": .string(text)] as JSONValue).bytes())
  }
}
