public import MartletJSON

extension ModelEvent: JSONConvertible {
  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    switch Kind(rawValue: try fields.string("type")) {
    case .text: self = .text(try fields.string("text"), index: try fields.int("index"))
    case .thinking: self = .thinking(try fields.string("text"), index: try fields.int("index"))
    case .toolCallDelta:
      let delta = ToolCallDelta(
        id: try fields.stringIfPresent("id"), name: try fields.stringIfPresent("name"),
        arguments: try fields.string("arguments"))
      self = .toolCallDelta(delta, index: try fields.int("index"))
    case .block: self = .block(try fields.value("block"), index: try fields.int("index"))
    case .metrics: self = .metrics(try fields.value("metrics"))
    case .warning: self = .warning(code: try fields.string("code"), message: try fields.string("message"))
    case .requestId: self = .requestId(try fields.string("id"))
    case .rateLimits: self = .rateLimits(try fields.array("limits").map(RateLimit.init(recorded:)))
    case .finished: self = .finished(try fields.value("stop_reason"), try fields.value("usage"))
    case nil: throw JSONFormError(path: "type", message: "is no event of a model that is known")
    }
  }

  public var json: JSONValue {
    switch self {
    case .text(let text, let index): Self.object(.text, ["text": .string(text), "index": JSONValue(index)])
    case .thinking(let text, let index): Self.object(.thinking, ["text": .string(text), "index": JSONValue(index)])
    case .toolCallDelta(let delta, let index):
      Self.object(
        .toolCallDelta,
        [
          "id": delta.id.map { .string($0) } ?? .null, "name": delta.name.map { .string($0) } ?? .null,
          "arguments": .string(delta.arguments), "index": JSONValue(index),
        ])
    case .block(let block, let index): Self.object(.block, ["block": block.json, "index": JSONValue(index)])
    case .metrics(let metrics): Self.object(.metrics, ["metrics": metrics.json])
    case .warning(let code, let message):
      Self.object(.warning, ["code": .string(code), "message": .string(message)])
    case .requestId(let id): Self.object(.requestId, ["id": .string(id)])
    case .rateLimits(let limits): Self.object(.rateLimits, ["limits": .array(limits.map(\.recorded))])
    case .finished(let reason, let usage):
      Self.object(.finished, ["stop_reason": reason.json, "usage": usage.json])
    }
  }

  private enum Kind: String {
    case text, thinking, block, metrics, warning, finished
    case toolCallDelta = "tool_call_delta"
    case requestId = "request_id"
    case rateLimits = "rate_limits"
  }

  private static func object(_ kind: Kind, _ fields: JSONObject) -> JSONValue {
    var object: JSONObject = ["type": .string(kind.rawValue)]
    for (key, value) in fields { object[key] = value }
    return .object(object)
  }
}
