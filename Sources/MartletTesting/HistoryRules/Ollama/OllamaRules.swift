public import MartletJSON

/// A request to Ollama's `/api/chat` as its rules see it.
public struct OllamaRequest: Sendable {
  let json: JSONValue
  let acceptsTools: Bool
  let acceptsThinking: Bool
  let messages: [JSONValue]

  /// A request to a model that can or cannot call tools and think.
  public init(_ json: JSONValue, acceptsTools: Bool = true, acceptsThinking: Bool = true) {
    self.json = json
    self.acceptsTools = acceptsTools
    self.acceptsThinking = acceptsThinking
    messages = json.elements("messages")
  }
}

/// What Ollama's own chat endpoint asks of a request, with its own answers. It does not check that calls have results.
public enum OllamaRules {
  /// Every rule.
  public static let all = [model, contentForm, callForm, images, thinkValue, modelTools, modelThinking]

  /// Everything wrong with a request, in the order of the rules. The server answers with the first.
  public static func check(_ request: OllamaRequest) -> [RuleViolation] {
    all.flatMap { $0.violations(in: request) }
  }

  /// Everything wrong with the body of a request.
  public static func check(request json: JSONValue) -> [RuleViolation] {
    check(OllamaRequest(json))
  }

  /// The body of the answer to a refused request.
  public static func errorBody(_ violation: RuleViolation) -> JSONValue {
    ["error": .string(violation.message)]
  }

  private static func invalid(_ rule: String, _ message: String) -> RuleViolation {
    RuleViolation(rule: rule, type: "error", message: message)
  }

  static let model = WireRule<OllamaRequest>("model", source: "Ollama's server, chat handler") { request, rule in
    (request.json.text("model") ?? "").isEmpty ? [invalid(rule, "model is required")] : []
  }

  /// Go decodes the request into a struct: another type than the field's is an error.
  static let contentForm = WireRule<OllamaRequest>(
    "content_form", source: "Ollama API, messages; wording as Go's decoder's"
  ) { request, rule in
    request.messages.compactMap { message in
      guard let content = message.present("content"), content.stringValue == nil else { return nil }
      return invalid(
        rule,
        "json: cannot unmarshal \(goName(content)) into Go struct field ChatRequest.messages.content of type string")
    }
  }

  static let callForm = WireRule<OllamaRequest>(
    "call_form", source: "Ollama API, tool_calls; wording as Go's decoder's"
  ) { request, rule in
    request.messages.flatMap { $0.elements("tool_calls") }.compactMap { call in
      guard let arguments = call["function"]?.present("arguments"), arguments.objectValue == nil else { return nil }
      return invalid(
        rule,
        "json: cannot unmarshal \(goName(arguments)) into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments"
      )
    }
  }

  private static func goName(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// Images are bare base64: no `data:` address.
  static let images = WireRule<OllamaRequest>(
    "images", source: "Ollama API, images; wording as Go's decoder's"
  ) { request, rule in
    request.messages.flatMap { $0.elements("images") }.compactMap { image in
      let text = image.stringValue ?? ""
      let wrong = text.utf8.enumerated().first { _, byte in
        !((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) && !(byte >= 0x30 && byte <= 0x39) && byte != 0x2B
          && byte != 0x2F && byte != 0x3D && byte != 0x0A && byte != 0x0D
      }
      return wrong.map { invalid(rule, "illegal base64 data at input byte \($0.offset)") }
    }
  }

  static let thinkValue = WireRule<OllamaRequest>(
    "think_value", source: "Ollama API, think; wording as the server's"
  ) { request, rule in
    guard let think = request.json.present("think"), think.boolValue == nil else { return [] }
    let text = think.stringValue ?? think.text()
    guard !["high", "medium", "low", "max"].contains(text) else { return [] }
    return [
      invalid(rule, "invalid think value: \"\(text)\" (must be \"high\", \"medium\", \"low\", true, or false)")
    ]
  }

  static let modelTools = WireRule<OllamaRequest>(
    "model_tools", source: "Ollama's server, capability check"
  ) { request, rule in
    guard !request.acceptsTools, !request.json.elements("tools").isEmpty else { return [] }
    return [
      invalid(rule, "registry.ollama.ai/library/\(request.json.text("model") ?? "") does not support tools")
    ]
  }

  static let modelThinking = WireRule<OllamaRequest>(
    "model_thinking", source: "Ollama's server, capability check"
  ) { request, rule in
    guard !request.acceptsThinking, let think = request.json.present("think"), think != false else { return [] }
    return [invalid(rule, "\"\(request.json.text("model") ?? "")\" does not support thinking")]
  }
}
