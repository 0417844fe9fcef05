public import MartletJSON

/// Another agent takes over.
public struct HandedOff: EventPayload {
  static let type = "handed_off"
  /// Which.
  public var agent: String
  /// What it gets to see.
  public var filter: JSONValue?

  /// The fields of the event.
  public init(agent: String, filter: JSONValue? = nil) {
    self.agent = agent
    self.filter = filter
  }

  init(_ fields: JSONFields) throws {
    self.init(
      agent: try fields.string("agent"),
      filter: fields["filter"])
  }

  func write(into object: inout JSONObject) {
    object["agent"] = .string(agent)
    object.set("filter", filter)
  }

  var event: AgentEvent { .handedOff(self) }
}
