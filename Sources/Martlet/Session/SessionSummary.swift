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

  /// A session in a list.
  public init(id: String, title: String? = nil, createdAt: Timestamp, updatedAt: Timestamp, lastSeq: Int) {
    self.id = id
    self.title = title
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.lastSeq = lastSeq
  }
}
