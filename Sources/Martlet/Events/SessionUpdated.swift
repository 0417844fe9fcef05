public import MartletJSON

/// Something about the session changed; absent fields did not.
public struct SessionUpdated: EventPayload {
  static let type = "session_updated"
  /// The new title.
  public var title: String?
  /// The changed metadata.
  public var meta: JSONValue?
  /// The changed settings.
  public var settings: JSONValue?

  /// The fields of the event.
  public init(title: String? = nil, meta: JSONValue? = nil, settings: JSONValue? = nil) {
    self.title = title
    self.meta = meta
    self.settings = settings
  }

  init(_ fields: JSONFields) throws {
    self.init(
      title: try fields.stringIfPresent("title"),
      meta: fields["meta"],
      settings: fields["settings"])
  }

  func write(into object: inout JSONObject) {
    object.set("title", title.map { .string($0) })
    object.set("meta", meta)
    object.set("settings", settings)
  }

  var event: AgentEvent { .sessionUpdated(self) }
}
