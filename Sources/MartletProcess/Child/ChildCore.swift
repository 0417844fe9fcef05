import CSpawn
import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A child process as the reactor sees it: its pipes, its end, and how it is brought about.
///
/// Everything that touches a descriptor or sends a signal takes the `ReactorLoop` and so runs on its thread. The
/// leader stays a zombie until its group was told to end, which keeps the group's number from being given away.
final class ChildCore: Sendable {
  /// Why the child was ended from here.
  enum StopReason {
    case requested, cancelled, timedOut, tooMuchOutput, dropped
  }

  enum Port {
    case output, error
  }

  enum Phase {
    /// The leader runs.
    case running
    /// The leader has ended; the last output is being read.
    case draining
    /// The output is complete; what is left of the group is being ended.
    case clearing
    case ended
  }

  struct State {
    var phase = Phase.running
    var status: ExitStatus?
    var isUnkillable = false
    var stopReason: StopReason?
    var stopDeadline: ContinuousClock.Instant?
    var input = InputQueue()
    var output: OutputPort
    var error: OutputPort
    var produced = 0
    var inputDescriptor: Int32?
    var outputDescriptor: Int32?
    var errorDescriptor: Int32?
    var exitWaiters: [Latch] = []
    var endWaiters: [Latch] = []
    var timer: ReactorLoop.TimerID?
    var timeoutTimer: ReactorLoop.TimerID?
  }

  /// What is known when it is over.
  struct Outcome: Sendable {
    let status: ExitStatus
    let stopReason: StopReason?
    let isUnkillable: Bool
    let output: CapturedOutput
    let error: CapturedOutput
  }

  enum Answer<Value: Sendable> {
    case ready(Value)
    /// Not yet: wait for it and ask again.
    case pending(Latch)
  }

  /// How long the rest of a group has between SIGTERM and SIGKILL once its leader has ended.
  private static let leftoverGrace = Duration.milliseconds(200)
  /// How long a process may survive SIGKILL until it is given up.
  private static let killPatience = Duration.seconds(5)

  let pid: pid_t
  private let mark: ChildMark
  private let reactor: Reactor
  let limits: ProcessLimits
  let state: Locked<State>

  private var group: ProcessGroup { ProcessGroup(id: pid) }

  /// Takes over a process that has just been started, and the parent's ends of its pipes.
  ///
  /// - Parameter usesPidfd: false waits for the end on a thread, as is done where there are no pidfds.
  init(
    _ spawned: SpawnedProcess, reactor: Reactor, limits: ProcessLimits, output: OutputPort.Sink,
    error: OutputPort.Sink, usesPidfd: Bool = true
  ) {
    pid = spawned.pid
    mark = spawned.mark
    self.reactor = reactor
    self.limits = limits
    state = Locked(
      State(
        output: OutputPort(output, isOpen: true),
        error: OutputPort(error, isOpen: spawned.error != nil),
        inputDescriptor: spawned.input, outputDescriptor: spawned.output, errorDescriptor: spawned.error))
    reactor.perform { loop in self.attach(usesPidfd: usesPidfd, loop) }
  }

  // MARK: From any thread

  /// Queues bytes for the child. Returns what wakes the writer when the pipe has taken them, and the write's number.
  func enqueue(_ bytes: [UInt8]) throws(ProcessError) -> (Latch, UInt64) {
    let done = Latch()
    let id: UInt64? = state.withLock { state in
      guard state.phase == .running, !state.input.isClosed, state.inputDescriptor != nil else { return nil }
      return state.input.append(bytes, done: done)
    }
    guard let id else { throw Self.inputClosed }
    reactor.perform { loop in self.pumpInput(loop) }
    return (done, id)
  }

  func withdrawWrite(_ id: UInt64) {
    state.withLock { $0.input.withdraw(id) }
  }

  func closeInput() {
    state.withLock { $0.input.close() }
    reactor.perform { loop in self.pumpInput(loop) }
  }

  /// The next bytes of a stream, or what to wait for.
  func take(_ port: Port) -> OutputPort.Taken {
    let taken = state.withLock { state in port == .output ? state.output.take() : state.error.take() }
    if case .bytes(_, resumes: true) = taken { reactor.perform { loop in self.watchOutput(port, loop) } }
    return taken
  }

  func forget(_ reader: Latch, of port: Port) {
    state.withLock { state in
      if port == .output { state.output.forget(reader) } else { state.error.forget(reader) }
    }
  }

  var errorLines: [String] { state.withLock { $0.error.lines } }

  /// The status once the leader has ended, or what to wait for.
  func exit() -> Answer<ExitStatus> {
    state.withLock { state in
      if let status = state.status { return .ready(status) }
      let latch = Latch()
      state.exitWaiters.append(latch)
      return .pending(latch)
    }
  }

  /// The outcome once nothing of the group is left and all output is read, or what to wait for.
  func outcome() -> Answer<Outcome> {
    state.withLock { state in
      if state.phase == .ended {
        return .ready(
          Outcome(
            status: state.status ?? .unknown, stopReason: state.stopReason, isUnkillable: state.isUnkillable,
            output: state.output.captured, error: state.error.captured))
      }
      let latch = Latch()
      state.endWaiters.append(latch)
      return .pending(latch)
    }
  }

  func forget(_ waiter: Latch) {
    state.withLock { state in
      state.exitWaiters.removeAll { $0 === waiter }
      state.endWaiters.removeAll { $0 === waiter }
    }
  }

  func send(_ signal: Int32) {
    reactor.perform { _ in
      if self.state.withLock({ $0.phase == .running || $0.phase == .draining }) { self.group.send(signal) }
    }
  }

  /// Ends the group: SIGTERM, and SIGKILL when `grace` has passed.
  func stop(_ reason: StopReason, grace: Duration) {
    reactor.perform { loop in self.stop(reason, grace: grace, loop) }
  }

  // MARK: On the reactor

  private func attach(usesPidfd: Bool, _ loop: ReactorLoop) {
    if let timeout = limits.timeout {
      let timer = loop.schedule(after: timeout) { loop in self.stop(.timedOut, grace: self.limits.grace, loop) }
      state.withLock { $0.timeoutTimer = timer }
    }
    watchOutput(.output, loop)
    watchOutput(.error, loop)
    pumpInput(loop)
    watchExit(usesPidfd: usesPidfd, loop)
  }

  private func watchExit(usesPidfd: Bool, _ loop: ReactorLoop) {
    let descriptor = usesPidfd ? cspawn_pidfd(pid) : -1
    if descriptor >= 0 {
      loop.watch(descriptor, .readable) { loop in
        guard let status = self.peekStatus() else { return }
        loop.close(descriptor)
        self.leaderEnded(status, loop)
      }
      return
    }
    // Without pidfds a thread waits; where there are no threads left either, we look now and then.
    let failure = startThread { [pid, reactor] in
      var raw: Int32 = 0
      _ = cspawn_status(pid, 1, 0, &raw)
      reactor.perform { loop in if let status = self.peekStatus() { self.leaderEnded(status, loop) } }
    }
    if failure != 0 { lookForExit(loop) }
  }

  private func lookForExit(_ loop: ReactorLoop) {
    if let status = peekStatus() { return leaderEnded(status, loop) }
    loop.schedule(after: .milliseconds(10)) { loop in self.lookForExit(loop) }
  }

  /// How the leader ended, nil while it runs. Does not reap it.
  private func peekStatus() -> ExitStatus? {
    var raw: Int32 = 0
    return switch cspawn_status(pid, 0, 0, &raw) {
    case 1: .exited(raw)
    case 0: .signaled(-raw)
    case 2: nil
    default: .unknown
    }
  }

  private func leaderEnded(_ status: ExitStatus, _ loop: ReactorLoop) {
    let (waiters, isFirst) = state.withLock { state in
      guard state.phase == .running else { return ([Latch](), false) }
      state.phase = .draining
      state.status = status
      defer { state.exitWaiters = [] }
      return (state.exitWaiters, true)
    }
    guard isFirst else {
      // It had been given up.
      var raw: Int32 = 0
      _ = cspawn_status(pid, 0, 1, &raw)
      return
    }
    for waiter in waiters { waiter.settle() }
    dropInput(loop)
    setTimer(limits.drain, loop) { loop in self.finishReading(loop) }
    clearIfDrained(loop)
  }

  func clearIfDrained(_ loop: ReactorLoop) {
    let isDrained = state.withLock { state in
      state.phase == .draining && state.outputDescriptor == nil && state.errorDescriptor == nil
    }
    if isDrained { clear(loop) }
  }

  /// Ends what the leader left of its group.
  private func clear(_ loop: ReactorLoop) {
    let (deadline, isKnown, wasTold) = state.withLock { state in
      state.phase = .clearing
      let deadline = ContinuousClock.now + Self.leftoverGrace
      return (max(deadline, state.stopDeadline ?? deadline), state.status != .unknown, state.stopReason != nil)
    }
    setTimer(nil, loop)
    // Of a leader that someone else reaped, the number may be anyone's by now.
    guard isKnown else { return end(loop) }
    if !wasTold { group.terminate() }
    var raw: Int32 = 0
    _ = cspawn_status(pid, 0, 1, &raw)
    awaitEmptyGroup(until: deadline, isKilled: false, delay: .milliseconds(1), loop)
  }

  private func awaitEmptyGroup(
    until deadline: ContinuousClock.Instant, isKilled: Bool, delay: Duration, _ loop: ReactorLoop
  ) {
    cspawn_reap_group(pid)
    // The dead count as members until process 1 reaps them, which it may be slow to do: after a moment look closer.
    if delay < .milliseconds(4) ? group.isEmpty : !group.hasLivingMembers { return end(loop) }
    var (deadline, isKilled) = (deadline, isKilled)
    if .now >= deadline {
      if isKilled { return end(loop, isUnkillable: true) }
      group.killLeftovers()
      isKilled = true
      deadline = .now + Self.killPatience
    }
    setTimer(delay, loop) { [deadline, isKilled] loop in
      self.awaitEmptyGroup(
        until: deadline, isKilled: isKilled, delay: min(delay * 2, .milliseconds(20)), loop)
    }
  }

  private func end(_ loop: ReactorLoop, isUnkillable: Bool = false) {
    setTimer(nil, loop)
    if let timer = state.withLock({ $0.timeoutTimer }) { loop.cancel(timer) }
    dropInput(loop)
    endOutput(.output, loop)
    endOutput(.error, loop)
    #if os(Linux)
      if limits.endsRunaways || state.withLock({ $0.stopReason != nil }) {
        // On a thread of its own, as it looks at every process and waits for those it kills.
        let failure = startThread { [mark, reactor] in
          ProcessTable.killAll(marked: mark.own)
          reactor.perform { _ in self.finish(isUnkillable: isUnkillable) }
        }
        if failure == 0 { return }
        ProcessTable.killAll(marked: mark.own)
      }
    #endif
    finish(isUnkillable: isUnkillable)
  }

  private func finish(isUnkillable: Bool) {
    let waiters = state.withLock { state in
      state.phase = .ended
      state.isUnkillable = isUnkillable
      state.status = state.status ?? .unknown
      defer { (state.exitWaiters, state.endWaiters) = ([], []) }
      return state.exitWaiters + state.endWaiters
    }
    for waiter in waiters { waiter.settle() }
  }

  func stop(_ reason: StopReason, grace: Duration, _ loop: ReactorLoop) {
    let phase = state.withLock { state in
      if state.phase != .ended {
        state.stopReason = state.stopReason ?? reason
        let deadline = ContinuousClock.now + grace
        state.stopDeadline = min(deadline, state.stopDeadline ?? deadline)
      }
      return state.phase
    }
    switch phase {
    case .running:
      dropInput(loop)
      if grace > .zero {
        group.terminate()
        let deadline = state.withLock { $0.stopDeadline } ?? .now
        setTimer(deadline - .now, loop) { loop in self.killRunning(loop) }
      } else {
        killRunning(loop)
      }
    case .draining: finishReading(loop)
    case .clearing, .ended: break
    }
  }

  private func killRunning(_ loop: ReactorLoop) {
    group.send(SIGKILL)
    setTimer(Self.killPatience, loop) { loop in self.end(loop, isUnkillable: true) }
  }

  /// One timer a child: each phase waits for one thing.
  private func setTimer(_ delay: Duration?, _ loop: ReactorLoop, handler: @escaping ReactorLoop.Handler = { _ in }) {
    let old = state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }
    if let old { loop.cancel(old) }
    guard let delay else { return }
    let timer = loop.schedule(after: delay, handler: handler)
    state.withLock { $0.timer = timer }
  }
}
