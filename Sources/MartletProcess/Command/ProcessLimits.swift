/// How much a run may take, and how it is ended when it takes more.
public struct ProcessLimits: Sendable, Hashable {
  /// Time from the start until the whole group is ended; nil means no limit.
  public var timeout: Duration?
  /// Bytes kept of each output stream: the first and the last half. What lies between is read and dropped.
  public var keptOutput: Int
  /// Bytes that both streams may produce together before the group is ended; nil means no limit.
  public var maximumOutput: Int?
  /// Time between SIGTERM and SIGKILL when the run is ended early.
  public var grace: Duration
  /// How long output is still awaited after the child has ended, because a process it left behind holds the pipe. The
  /// rest of the group is ended then.
  public var drain: Duration
  /// Whether processes that left the group (`setsid`) are ended with it also after a normal end, as they are when the run
  /// is ended early. On Linux only; it costs a look at every process.
  public var endsRunaways: Bool

  /// Limits; every argument has a default.
  public init(
    timeout: Duration? = nil,
    keptOutput: Int = 1 << 20,
    maximumOutput: Int? = nil,
    grace: Duration = .seconds(2),
    drain: Duration = .milliseconds(250),
    endsRunaways: Bool = false
  ) {
    self.timeout = timeout
    self.keptOutput = keptOutput
    self.maximumOutput = maximumOutput
    self.grace = grace
    self.drain = drain
    self.endsRunaways = endsRunaways
  }
}
