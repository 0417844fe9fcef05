/// A record that a search found.
public struct SessionMatch: Sendable, Hashable {
  /// The session it was written in.
  public var session: String
  /// Its number there.
  public var seq: Int
  /// When it happened.
  public var time: Timestamp
  /// The part of its text where the first word stands, on one line, of at most about 160 characters.
  public var excerpt: String

  /// A record that was found.
  public init(session: String, seq: Int, time: Timestamp, excerpt: String) {
    self.session = session
    self.seq = seq
    self.time = time
    self.excerpt = excerpt
  }
}
