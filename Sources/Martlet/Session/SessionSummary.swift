/// A session in a list.
public struct SessionSummary: Sendable, Hashable {
  /// The session's id.
  public var id: String
  /// Its title, where it has one.
  public var title: String?
  /// When it began.
  public var createdAt: Timestamp
  /// When its last record was appended.
  public var updatedAt: Timestamp
  /// The sequence number of its last record.
  public var lastSeq: Int
  /// The session and record it shares its past with, where it is a fork.
  public var forkedFrom: SessionOrigin?
  /// The call that it works for, where it is a subagent's.
  public var parent: SessionParent?

  /// A session in a list.
  public init(
    id: String, title: String? = nil, createdAt: Timestamp, updatedAt: Timestamp, lastSeq: Int,
    forkedFrom: SessionOrigin? = nil, parent: SessionParent? = nil
  ) {
    self.id = id
    self.title = title
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.lastSeq = lastSeq
    self.forkedFrom = forkedFrom
    self.parent = parent
  }
}

extension SessionSummary {
  /// A summary with what the session's own first event says of where it comes from.
  package init(
    id: String, title: String?, createdAt: Timestamp, updatedAt: Timestamp, lastSeq: Int, beginning: AgentEvent?
  ) {
    self.init(id: id, title: title, createdAt: createdAt, updatedAt: updatedAt, lastSeq: lastSeq)
    guard case .sessionCreated(let created) = beginning else { return }
    (forkedFrom, parent) = (created.forkedFrom, created.parent)
  }
}
