public import MartletJSON

/// An event with its place in the log: what streams yield, what the store keeps, what the wire carries.
public struct EventRecord: Sendable, Hashable, JSONConvertible {
  /// The number of a durable event in its session, from 1 without gaps; nil for an ephemeral one.
  public var seq: Int?
  /// When it happened.
  public var time: Timestamp
  /// The session's id.
  public var session: String
  /// The run's id; nil for events outside a run.
  public var run: String?
  /// What happened.
  public var event: AgentEvent
  /// Fields of a later format that this version does not know, kept for the next reader.
  public var unknownFields: JSONObject

  /// A record.
  public init(
    seq: Int? = nil, time: Timestamp, session: String, run: String? = nil, event: AgentEvent,
    unknownFields: JSONObject = [:]
  ) {
    self.seq = seq
    self.time = time
    self.session = session
    self.run = run
    self.event = event
    self.unknownFields = unknownFields
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    guard let time = Timestamp(try fields.string("time")) else {
      throw JSONFormError(path: "time", message: "an RFC 3339 time in UTC is expected")
    }
    let seq = try fields.intIfPresent("seq")
    self.init(
      seq: seq, time: time, session: try fields.string("session"), run: try fields.stringIfPresent("run"),
      event: try AgentEvent(type: try fields.string("type"), fields: fields, isDurable: seq != nil))
    if case .unknown = event { return }
    let known = self.json.objectValue ?? [:]
    for (key, value) in fields.object where known[key] == nil && !value.isNull { unknownFields[key] = value }
  }

  public var json: JSONValue {
    var object = JSONObject()
    object.set("seq", seq.map { .number(JSONNumber($0)) })
    object["time"] = .string(time.description)
    object["session"] = .string(session)
    object.set("run", run.map { .string($0) })
    event.write(into: &object)
    for (key, value) in unknownFields where object[key] == nil { object[key] = value }
    return .object(object)
  }
}
