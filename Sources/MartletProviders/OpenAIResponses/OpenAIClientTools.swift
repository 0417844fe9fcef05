import Martlet
import MartletJSON

/// OpenAI's own tools that the client runs: a shell, patches, a search among its tools. Their calls are calls of the agent's
/// tool of that name (`local_shell`, `shell`, `apply_patch`, `tool_search`), and its results go back in the form that the
/// service wants. A tool of that name must be registered; what is not is answered with the error that says so.
enum OpenAIClientTools {
  /// Types of calls, with the types of the items that answer them.
  static let answers = [
    "local_shell_call": "local_shell_call_output", "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output", "tool_search_call": "tool_search_output",
  ]
  /// Calls that only something with a screen could answer: they are left out of what goes back.
  static let unanswerable = ["computer_call": "computer_call_output"]

  /// Ids of the calls among items that the service has answered itself: those of its own containers.
  static func answered(in items: some Sequence<JSONObject>) -> Set<String> {
    Set(
      items.compactMap { item in
        guard let type = item["type"]?.stringValue else { return nil }
        let isAnswer = answers.values.contains(type) || unanswerable.values.contains(type)
        return isAnswer ? item["call_id"]?.stringValue : nil
      })
  }

  /// Whether an item asks the client to do something.
  static func isCall(_ item: JSONObject, answered: Set<String>) -> Bool {
    guard let type = item["type"]?.stringValue, answers[type] != nil, let id = item["call_id"]?.stringValue else {
      return false
    }
    return !answered.contains(id) && item["execution"] != "server"
  }

  static func block(of item: JSONObject) -> ContentBlock {
    let type = item["type"]?.stringValue ?? ""
    var arguments = item
    var kept = JSONObject()
    for key in ["type", "id", "call_id", "status"] {
      let value = arguments.removeValue(forKey: key)
      if key == "id" || key == "status" { kept[key] = value }
    }
    return ContentBlock(
      .toolCall(
        ToolCall(
          id: item["call_id"]?.stringValue ?? "", name: String(type.dropLast("_call".count)),
          arguments: .object(arguments))),
      extra: BlockExtra(
        provider: OpenAIResponses.provider, value: ["item": .object(kept), "builtin": .string(type)]))
  }

  /// The item of a call that came as one; nil for any other.
  static func item(of call: ToolCall, id: String, own: JSONValue?) -> JSONObject? {
    guard let type = own?["builtin"]?.stringValue, answers[type] != nil else { return nil }
    var item: JSONObject = ["type": .string(type)]
    for (key, value) in own?["item"]?.objectValue ?? [:] where !value.isNull { item[key] = value }
    item["call_id"] = .string(id)
    for (key, value) in call.argumentsObject ?? [:] where item[key] == nil { item[key] = value }
    return item
  }

  /// Adds to an item that answers a call what its type wants.
  static func write(_ result: ToolResult, of type: String, into item: inout JSONObject) {
    let text = result.text.isEmpty ? "(no output)" : result.text
    switch type {
    case "shell_call_output":
      item["output"] = [
        [
          "stdout": .string(text), "stderr": "",
          "outcome": ["type": "exit", "exit_code": result.isError ? 1 : 0],
        ]
      ]
    case "apply_patch_call_output":
      item["status"] = result.isError ? "failed" : "completed"
      item["output"] = .string(text)
    case "tool_search_output":
      item["execution"] = "client"
      item["status"] = "completed"
      item["tools"] = .array(tools(in: text))
    default:
      item["id"] = item["call_id"]
      item["output"] = .string(text)
    }
  }

  /// Definitions of tools that a result holds as JSON; none where it holds anything else.
  private static func tools(in text: String) -> [JSONValue] {
    do {
      return (try JSONValue(parsing: text).arrayValue ?? []).filter { $0.objectValue != nil }
    } catch {
      return []
    }
  }
}
