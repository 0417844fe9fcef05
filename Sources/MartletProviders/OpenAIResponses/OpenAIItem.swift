import Martlet
import MartletJSON

/// The output items of the Responses API and our blocks: one made of the other, without loss.
///
/// What has no place in a block goes to its extra: `item` (a message's id, phase and status; all of a reasoning item; a
/// call's id and status), `part` (a text's annotations; a refusal's type) and `arguments` (a call's exact text, where ours
/// would differ).
enum OpenAIItem {
  // MARK: - From items

  /// The blocks of an item: one, or one for each part of a message.
  /// - Parameter answered: ids of calls of built-in tools that the service has answered itself.
  static func blocks(
    of item: JSONObject, model: String, names: WireNames, answered: Set<String> = []
  ) -> [ContentBlock] {
    if OpenAIClientTools.isCall(item, answered: answered) { return [OpenAIClientTools.block(of: item)] }
    return switch item["type"]?.stringValue {
    case "message": message(item)
    case "reasoning": [reasoning(item, model: model)]
    case "function_call": [functionCall(item, names: names)]
    case "custom_tool_call": [customCall(item, names: names)]
    default: [ContentBlock(.opaque(OpaqueBlock(provider: OpenAIResponses.provider, value: .object(item))))]
    }
  }

  private static func message(_ item: JSONObject) -> [ContentBlock] {
    let head = rest(of: item, without: ["type", "role", "content"])
    let parts = item["content"]?.arrayValue ?? []
    // A message without words may be what a reasoning item needs to be followed by.
    if parts.isEmpty { return [ContentBlock(.text(""), extra: extra(["item": .object(head)]))] }
    return parts.enumerated().map { index, part in
      var kept = part.objectValue ?? [:]
      var text = ""
      switch part["type"]?.stringValue {
      case "output_text":
        text = kept.removeValue(forKey: "text")?.stringValue ?? ""
        kept.removeValue(forKey: "type")
      case "refusal": text = kept.removeValue(forKey: "refusal")?.stringValue ?? ""
      default: break
      }
      for (key, value) in kept where value.isNull || value == .array([]) { kept.removeValue(forKey: key) }
      var value: JSONObject = ["item": .object(head), "part": .object(kept)]
      if index > 0 { value["index"] = .number(JSONNumber(index)) }
      return ContentBlock(.text(text), extra: extra(.object(value)))
    }
  }

  /// Reasoning is encrypted for the model that made it.
  private static func reasoning(_ item: JSONObject, model: String) -> ContentBlock {
    func text(_ key: String) -> String {
      (item[key]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }.joined(separator: "\n\n")
    }
    let summary = text("summary")
    return ContentBlock(
      .thinking(Thinking(text: summary.isEmpty ? text("content") : summary)),
      extra: BlockExtra(
        provider: OpenAIResponses.provider, model: model,
        value: ["item": .object(rest(of: item, without: ["type"]))]))
  }

  private static func functionCall(_ item: JSONObject, names: WireNames) -> ContentBlock {
    let text = item["arguments"]?.stringValue ?? item["arguments"]?.text() ?? ""
    let arguments = ToolCall.Arguments(text: text)
    var value: JSONObject = ["item": .object(rest(of: item, without: ["type", "call_id", "name", "arguments"]))]
    if case .object(let object) = arguments, !text.utf8.elementsEqual(JSONValue.object(object).bytes()) {
      value["arguments"] = .string(text)
    }
    return ContentBlock(
      .toolCall(
        ToolCall(
          id: item["call_id"]?.stringValue ?? item["id"]?.stringValue ?? "",
          name: names.name(forWire: item["name"]?.stringValue ?? ""), arguments: arguments)),
      extra: extra(.object(value)))
  }

  /// A custom tool takes free text, which is the argument `input` here.
  private static func customCall(_ item: JSONObject, names: WireNames) -> ContentBlock {
    ContentBlock(
      .toolCall(
        ToolCall(
          id: item["call_id"]?.stringValue ?? "", name: names.name(forWire: item["name"]?.stringValue ?? ""),
          arguments: ["input": item["input"] ?? ""])),
      extra: extra([
        "item": .object(rest(of: item, without: ["type", "call_id", "name", "input"])), "custom": true,
      ]))
  }

  private static func rest(of item: JSONObject, without keys: Set<String>) -> JSONObject {
    var rest = item
    for key in keys { rest.removeValue(forKey: key) }
    return rest
  }

  private static func extra(_ value: JSONValue) -> BlockExtra {
    BlockExtra(provider: OpenAIResponses.provider, value: value)
  }

  // MARK: - From blocks

  /// The extra of a block that this API made.
  static func own(_ block: ContentBlock) -> JSONValue? {
    guard let extra = block.extra, extra.provider == OpenAIResponses.provider else { return nil }
    return extra.value
  }

  /// A message of one part; `nil` for a text that came from elsewhere.
  static func message(_ text: String, _ own: JSONValue) -> JSONObject? {
    guard let head = own["item"]?.objectValue else { return nil }
    var item: JSONObject = ["type": "message", "role": "assistant"]
    for (key, value) in head where !value.isNull { item[key] = value }
    item["content"] = .array(own["part"].map { [part(text, $0)] } ?? [])
    return item
  }

  /// A part of a message.
  static func part(_ text: String, _ part: JSONValue) -> JSONValue {
    var object = part.objectValue ?? [:]
    switch object["type"]?.stringValue {
    case nil:
      object["type"] = "output_text"
      object["text"] = .string(text)
      if object["annotations"] == nil { object["annotations"] = [] }
    case "refusal": object["refusal"] = .string(text)
    default: break
    }
    return .object(object)
  }

  static func reasoning(_ own: JSONValue) -> JSONObject? {
    guard let kept = own["item"]?.objectValue else { return nil }
    var item: JSONObject = ["type": "reasoning"]
    for (key, value) in kept where !value.isNull { item[key] = value }
    if item["summary"]?.arrayValue == nil { item["summary"] = [] }
    return item
  }

  static func call(_ call: ToolCall, id: String, name: String, own: JSONValue?) -> JSONObject {
    if let item = OpenAIClientTools.item(of: call, id: id, own: own) { return item }
    let isCustom = own?["custom"] == true
    var item: JSONObject = ["type": isCustom ? "custom_tool_call" : "function_call"]
    for (key, value) in own?["item"]?.objectValue ?? [:] where !value.isNull { item[key] = value }
    item["call_id"] = .string(id)
    item["name"] = .string(name)
    if isCustom {
      item["input"] = .string(call.argumentsObject?["input"]?.stringValue ?? "")
    } else {
      item["arguments"] = .string(arguments(call.arguments, exact: own?["arguments"]?.stringValue))
    }
    return item
  }

  private static func arguments(_ arguments: ToolCall.Arguments, exact: String?) -> String {
    switch arguments {
    case .object(let object):
      // The text that the model wrote, unless somebody changed the arguments since.
      if let exact, ToolCall.Arguments(text: exact) == arguments { return exact }
      return JSONValue.object(object).text()
    case .unparsed(let text, _): return JSONValue.object(["unreadable_arguments": .string(text)]).text()
    }
  }
}
