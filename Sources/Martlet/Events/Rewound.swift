import MartletJSON

/// The conversation goes back to an earlier record.
public struct Rewound: EventPayload {
  static let type = "rewound"
  /// The last record that counts.
  public var toSeq: Int

  /// The fields of the event.
  public init(toSeq: Int) {
    self.toSeq = toSeq
  }

  init(_ fields: JSONFields) throws {
    self.init(
      toSeq: try fields.int("to_seq"))
  }

  func write(into object: inout JSONObject) {
    object["to_seq"] = .number(JSONNumber(toSeq))
  }

  var event: AgentEvent { .rewound(self) }
}
