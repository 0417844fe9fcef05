import Dispatch
import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ctrl-C, SIGTERM and a terminal that goes away. The first one cancels what is being done, the second one ends the program.
///
/// Handlers only write the signal's number to a pipe (all that may be done there); a thread reads it. They are real
/// handlers and not "ignore", for child processes would inherit the latter.
package final class Interrupts: Sendable {
  package enum Signal: Sendable, Hashable {
    case interrupt, terminate

    var status: ExitStatus { self == .interrupt ? .cancelled : .terminated }
  }

  private struct State {
    var first: Signal?
    var isHandled = false
    var cancel: (@Sendable (Signal) -> Void)?
    var fallback: (@Sendable (Signal) -> Void)?

    var handler: (@Sendable (Signal) -> Void)? { cancel ?? fallback }
  }

  private let state = Locked(State())

  package init() {}

  /// The signal that cancelled the work; nil when none came.
  var received: Signal? { state.withLock { $0.first } }

  /// What the next signal does. Called at once if one came before.
  func onSignal(_ cancel: @escaping @Sendable (Signal) -> Void) { set { $0.cancel = cancel } }

  /// What the next signal does where `onSignal(_:)` said nothing, be it earlier or later.
  func otherwise(_ cancel: @escaping @Sendable (Signal) -> Void) { set { $0.fallback = cancel } }

  private func set(_ change: (inout State) -> Void) {
    let pending = state.withLock { state -> Signal? in
      change(&state)
      return state.isHandled ? nil : state.first
    }
    if let pending { _ = deliver(pending) }
  }

  /// The signals from now on, one that came before and was not handled first. One reader at a time.
  func signals() -> AsyncStream<Signal> {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingOldest(4))
    onSignal { continuation.yield($0) }
    return stream
  }

  /// The work was cancelled as asked, and goes on with something else: the next signal is a first one again.
  func reset() {
    state.withLock { state in
      state.first = nil
      state.isHandled = false
    }
  }

  /// A signal came. True when it is a second one, which should end the program.
  package func deliver(_ signal: Signal) -> Bool {
    let (isSecond, cancel) = state.withLock { state -> (Bool, (@Sendable (Signal) -> Void)?) in
      if state.isHandled { return (true, nil) }
      state.first = signal
      state.isHandled = state.handler != nil
      return (false, state.handler)
    }
    cancel?(signal)
    return isSecond
  }

  // MARK: The process's own signals

  /// Write end of the pipe that handlers write to. Set before a handler is installed.
  private static let pipeEnds: [Int32] = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return [-1, -1] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }()

  /// Takes over SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE so that a closed output is an error and no sudden end.
  /// `last` runs before a second signal ends the program: it must end child processes.
  func install(last: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let ends = Self.pipeEnds
    guard ends[0] >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A parent that ignores them (nohup, a background job) means it.
      var old = sigaction()
      sigaction(number, nil, &old)
      if Self.isIgnored(old) { continue }
      signal(number) { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interrupts.pipeEnds[1], &byte, 1)
        errno = saved
      }
    }
    // Its reads block, so it needs a thread of its own.
    DispatchQueue(label: "martlet-signals").async { [self] in
      var byte: UInt8 = 0
      while true {
        let count = read(ends[0], &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1 else { return }
        let signal: Signal = Int32(byte) == SIGINT ? .interrupt : .terminate
        if deliver(signal) {
          last()
          _exit(signal.status.rawValue)
        }
      }
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }
}
