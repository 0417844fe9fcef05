import MartletJSON

/// The app replaced the conversation.
public struct HistoryReplaced: EventPayload {
  static let type = "history_replaced"
  /// The conversation from here.
  public var messages: [Message]

  /// The fields of the event.
  public init(messages: [Message] = []) {
    self.messages = messages
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messages: try fields.values("messages"))
  }

  func write(into object: inout JSONObject) {
    object["messages"] = .array(messages.map(\.json))
  }

  var event: AgentEvent { .historyReplaced(self) }
}
