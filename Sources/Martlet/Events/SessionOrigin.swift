public import MartletJSON

/// Where a forked session comes from.
public struct SessionOrigin: Sendable, Hashable, JSONConvertible {
  /// The session whose records it shares.
  public var session: String
  /// The last record it shares.
  public var seq: Int

  /// A fork's origin.
  public init(session: String, seq: Int) {
    self.session = session
    self.seq = seq
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(session: try fields.string("session"), seq: try fields.int("seq"))
  }

  public var json: JSONValue { ["session": .string(session), "seq": .number(JSONNumber(seq))] }
}
