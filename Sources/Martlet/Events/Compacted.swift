import MartletJSON

/// The view of a part of the log was replaced by less. The log itself stays.
public struct Compacted: EventPayload {
  static let type = "compacted"
  /// What did it.
  public var policy: String
  /// The first record it replaces. With a `toSeq` before it, no messages are replaced, and only results are shortened.
  public var fromSeq: Int
  /// The last record it replaces.
  public var toSeq: Int
  /// Records in between that stay.
  public var keep: [Int]
  /// Calls whose results were cleared.
  public var cleared: [String]
  /// Results that went into blobs.
  public var offloaded: [OffloadedResult]
  /// What stands for it.
  public var summary: [ContentBlock]
  /// Tokens before.
  public var tokensBefore: Int?
  /// Tokens after.
  public var tokensAfter: Int?
  /// Why.
  public var reason: String
  /// The epoch it starts.
  public var epoch: Int

  /// The fields of the event.
  public init(
    policy: String, fromSeq: Int, toSeq: Int, keep: [Int] = [], cleared: [String] = [],
    offloaded: [OffloadedResult] = [],
    summary: [ContentBlock] = [], tokensBefore: Int? = nil, tokensAfter: Int? = nil, reason: String, epoch: Int
  ) {
    self.policy = policy
    self.fromSeq = fromSeq
    self.toSeq = toSeq
    self.keep = keep
    self.cleared = cleared
    self.offloaded = offloaded
    self.summary = summary
    self.tokensBefore = tokensBefore
    self.tokensAfter = tokensAfter
    self.reason = reason
    self.epoch = epoch
  }

  init(_ fields: JSONFields) throws {
    self.init(
      policy: try fields.string("policy"),
      fromSeq: try fields.int("from_seq"),
      toSeq: try fields.int("to_seq"),
      keep: try fields.ints("keep"),
      cleared: try fields.strings("cleared"),
      offloaded: try fields.values("offloaded"),
      summary: try fields.values("summary"),
      tokensBefore: try fields.intIfPresent("tokens_before"),
      tokensAfter: try fields.intIfPresent("tokens_after"),
      reason: try fields.string("reason"),
      epoch: try fields.int("epoch"))
  }

  func write(into object: inout JSONObject) {
    object["policy"] = .string(policy)
    object["from_seq"] = .number(JSONNumber(fromSeq))
    object["to_seq"] = .number(JSONNumber(toSeq))
    object["keep"] = .array(keep.map { .number(JSONNumber($0)) })
    object["cleared"] = .array(cleared.map { .string($0) })
    object["offloaded"] = .array(offloaded.map(\.json))
    object["summary"] = .array(summary.map(\.json))
    object.set("tokens_before", tokensBefore.map { .number(JSONNumber($0)) })
    object.set("tokens_after", tokensAfter.map { .number(JSONNumber($0)) })
    object["reason"] = .string(reason)
    object["epoch"] = .number(JSONNumber(epoch))
  }

  var event: AgentEvent { .compacted(self) }
}
