public import MartletJSON

/// A request to the Responses API as its rules see it.
public struct OpenAIResponsesRequest: Sendable {
  let json: JSONValue
  let profile: OpenAIModelProfile
  let items: [JSONValue]

  /// A request. What the model accepts is known from its name unless it is given.
  public init(_ json: JSONValue, profile: OpenAIModelProfile? = nil) {
    self.json = json
    self.profile = profile ?? OpenAIModelProfile(model: json.text("model") ?? "")
    items = json.elements("input")
  }

  var isReasoning: Bool { profile.reasons(effort: json["reasoning"]?.text("effort")) }
  var tools: [JSONValue] { json.elements("tools") }

  /// Whether the service holds the earlier part of the conversation.
  var continuesStored: Bool { json.present("previous_response_id") != nil || json.present("conversation") != nil }

  /// The kind of an item; one without `type` is a message.
  static func kind(_ item: JSONValue) -> String { item.text("type") ?? "message" }
}
