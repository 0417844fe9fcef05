public import MartletJSON

/// A session begins.
public struct SessionCreated: EventPayload {
  static let type = "session_created"
  /// The format of the log; 1.
  public var format: Int
  /// Who owns the session.
  public var owner: String?
  /// A title for people.
  public var title: String?
  /// The session and record it shares its past with.
  public var forkedFrom: SessionOrigin?
  /// The call of the session that this one works for.
  public var parent: SessionParent?
  /// Whatever the app keeps with it.
  public var meta: JSONObject

  /// The fields of the event.
  public init(
    format: Int = 1, owner: String? = nil, title: String? = nil, forkedFrom: SessionOrigin? = nil,
    parent: SessionParent? = nil, meta: JSONObject = [:]
  ) {
    self.format = format
    self.owner = owner
    self.title = title
    self.forkedFrom = forkedFrom
    self.parent = parent
    self.meta = meta
  }

  init(_ fields: JSONFields) throws {
    self.init(
      format: try fields.int("format"),
      owner: try fields.stringIfPresent("owner"),
      title: try fields.stringIfPresent("title"),
      forkedFrom: try fields.valueIfPresent("forked_from"),
      parent: try fields.valueIfPresent("parent"),
      meta: try fields.objectIfPresent("meta") ?? [:])
  }

  func write(into object: inout JSONObject) {
    object["format"] = .number(JSONNumber(format))
    object.set("owner", owner.map { .string($0) })
    object.set("title", title.map { .string($0) })
    object["forked_from"] = forkedFrom?.json ?? .null
    object["parent"] = parent?.json ?? .null
    object["meta"] = .object(meta)
  }

  var event: AgentEvent { .sessionCreated(self) }
}
