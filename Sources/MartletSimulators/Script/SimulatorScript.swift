public import MartletJSON

/// What a simulator answers, and how it misbehaves.
///
/// Replies are chosen by the conversation, not by the time: the first reply answers a request whose history holds no reply
/// of the model, the second one with one reply, and so on. So any number of conversations can be served at once, and a
/// request that is tried again gets the same reply again. Faults go by the order in which requests arrive, one for each.
///
/// As JSON: `{"replies": [reply…], "repeats_last_reply", "faults": [fault or null…], "repeats_faults", "key", "models"}`.
public struct SimulatorScript: Sendable, Hashable {
  /// The replies, in the order of a conversation.
  public var replies: [SimulatedReply]
  /// Whether the last reply answers everything after it; else a request beyond the script fails with status 500 and says
  /// so. Default: false.
  public var repeatsLastReply: Bool
  /// What goes wrong with the requests, in the order they arrive; nil for nothing.
  public var faults: [SimulatedFault?]
  /// Whether the faults begin anew when they are used up; else nothing goes wrong any more. Default: false.
  public var repeatsFaults: Bool
  /// The key that clients must send; nil takes any, but not none.
  public var key: String?
  /// The models there are; nil takes any name.
  public var models: [String]?

  /// A script. One without replies says back what the user said last.
  public init(
    _ replies: [SimulatedReply] = [], repeatsLastReply: Bool = false, faults: [SimulatedFault?] = [],
    repeatsFaults: Bool = false, key: String? = nil, models: [String]? = nil
  ) {
    self.replies = replies
    self.repeatsLastReply = repeatsLastReply
    self.faults = faults
    self.repeatsFaults = repeatsFaults
    self.key = key
    self.models = models
  }

  /// Says back what the user said last.
  public static let echo = Self()

  /// Reads a script.
  /// - Throws: ``SimulatorScriptError`` with the place of the mistake.
  public init(json: JSONValue) throws {
    let fields = try ScriptFields(
      json, at: "script",
      known: ["replies", "repeats_last_reply", "faults", "repeats_faults", "key", "models"])
    self.init(
      try fields.list("replies") { try SimulatedReply(json: $0, at: $1) },
      repeatsLastReply: try fields.bool("repeats_last_reply") ?? false,
      faults: try fields.list("faults") { $0.isNull ? nil : try SimulatedFault(json: $0, at: $1) },
      repeatsFaults: try fields.bool("repeats_faults") ?? false, key: try fields.string("key"),
      models: try fields.strings("models"))
  }

  /// The reply to a request with so many replies in its history; nil beyond the script.
  func reply(after count: Int) -> SimulatedReply? {
    count < replies.count ? replies[count] : repeatsLastReply ? replies.last : nil
  }

  /// What goes wrong with a request, counted from 0.
  func fault(of request: Int) -> SimulatedFault? {
    guard !faults.isEmpty else { return nil }
    if repeatsFaults { return faults[request % faults.count] }
    return request < faults.count ? faults[request] : nil
  }
}
