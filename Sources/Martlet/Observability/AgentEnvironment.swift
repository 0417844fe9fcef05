#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Everything an agent takes from the world beside its model, tools and store: time, identity, chance, and sinks. Tests
/// and replays inject their own.
public struct AgentEnvironment: Sendable {
  /// Measures and waits: timeouts, retries.
  public var clock: any Clock<Duration> { didSet { uptime = Self.uptime(of: clock) } }
  /// Time on `clock` since it was set.
  private(set) var uptime: @Sendable () -> Duration
  /// The time of day, for event records.
  public var now: @Sendable () -> Timestamp
  /// New ids of sessions, runs, messages: lowercase ULIDs.
  public var makeID: @Sendable () -> String
  /// New ids of tool calls, for models that give none: `call_` and 8 characters.
  public var makeCallID: @Sendable () -> String
  /// A number in 0..<1, for jitter.
  public var random: @Sendable () -> Double
  /// Where the agent's tasks run; nil for the shared pool. On Apple platforms always the shared pool.
  public var executor: (any PreferredExecutor)?
  /// What records this run or replays one.
  package var script: (any RunScript)?
  /// Where log lines go.
  public var log: any LogSink
  /// Where spans go; nil for nowhere.
  public var trace: (any TraceSink)?
  /// Where counts and durations go; nil for nowhere.
  public var metrics: (any MetricSink)?

  /// An environment; by default the real clock and chance, and sinks that keep nothing.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), now: (@Sendable () -> Timestamp)? = nil,
    makeID: (@Sendable () -> String)? = nil, makeCallID: @escaping @Sendable () -> String = { ToolCall.makeId() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, log: any LogSink = NoLogSink(),
    trace: (any TraceSink)? = nil, metrics: (any MetricSink)? = nil
  ) {
    self.clock = clock
    uptime = Self.uptime(of: clock)
    let now = now ?? { Timestamp.now }
    self.now = now
    self.makeID = makeID ?? { ULID.make(at: now()) }
    self.makeCallID = makeCallID
    self.random = random
    self.log = log
    self.trace = trace
    self.metrics = metrics
  }

  private static func uptime(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

extension Timestamp {
  /// The time of day now.
  public static var now: Self { Self(Date()) }
}
