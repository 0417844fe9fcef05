/// What records a run or replays one, as the agent sees it: the world's part in what happens.
///
/// A recording only looks on. A replay decides what else chance would: which of the things that go on at the same time
/// comes next, what time it is, how long a tool took.
package protocol RunScript: AnyObject, Sendable {
  /// Whether deadlines come from the script and the clock has no say.
  var ownsTime: Bool { get }
  /// So many records are about to follow one. Gives their time; nil for the clock's.
  func appending(_ count: Int, after seq: Int, to session: String) -> Timestamp?
  /// Waits until it is the turn of something; returns early when the task is cancelled.
  func turn(_ point: ScriptPoint, in session: String) async
  /// The drive loop has begun all that is pending after a record.
  func sees(_ seq: Int, in session: String)
  /// The tools that a run may use from here on, given those that there are.
  func tools(_ tools: [AnyTool], in session: String) -> [AnyTool]
  /// The tool of a name, given the one that there is.
  func tool(named name: String, _ own: AnyTool?, in session: String) -> AnyTool?
  /// The tool as it is to be run for a call.
  func tool(_ tool: AnyTool, callId: String, in session: String) -> AnyTool
  /// How long a call took; nil for the clock's word.
  func duration(of callId: String, in session: String) -> Duration?
  /// What a source of context gives; nil for its own word.
  func reading(of source: any ContextSource) async -> ContextReading?
  func news(of source: any ContextSource, since told: ToldContext) async -> ContextNews?
  /// A deadline of a call has passed.
  func passed(_ deadline: ScriptDeadline, of callId: String, in session: String)
}

extension RunScript {
  package var ownsTime: Bool { false }
  package func appending(_ count: Int, after seq: Int, to session: String) -> Timestamp? { nil }
  package func turn(_ point: ScriptPoint, in session: String) async {}
  package func sees(_ seq: Int, in session: String) {}
  package func tool(named name: String, _ own: AnyTool?, in session: String) -> AnyTool? { own }
  package func duration(of callId: String, in session: String) -> Duration? { nil }
  package func passed(_ deadline: ScriptDeadline, of callId: String, in session: String) {}
}

/// A place in the agent where one of several things that go on may come first.
package enum ScriptPoint: Sendable, Hashable {
  /// The drive loop is about to record something; nothing else goes on if it is alone.
  case drive(isAlone: Bool)
  /// A model call is about to go on.
  case model
  /// A call's checks are about to be recorded.
  case checks(callId: String)
  /// A call is recorded as started and about to run.
  case call(callId: String)
}

/// A deadline of a call.
package enum ScriptDeadline: String, Sendable, Hashable {
  /// It has taken too long.
  case timeout
  /// It has not stopped in time.
  case abandon
}
