public import MartletJSON

/// The call that a subagent's session works for.
public struct SessionParent: Sendable, Hashable, JSONConvertible {
  /// The session of the agent that called.
  public var session: String
  /// Its run.
  public var run: String
  /// The call.
  public var callId: String

  /// A subagent's parent.
  public init(session: String, run: String, callId: String) {
    self.session = session
    self.run = run
    self.callId = callId
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      session: try fields.string("session"), run: try fields.string("run"), callId: try fields.string("call_id"))
  }

  public var json: JSONValue {
    ["session": .string(session), "run": .string(run), "call_id": .string(callId)]
  }
}
