import CSpawn
import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The one thread that waits for the pipes, ends and deadlines of all child processes, so that no thread of the
/// cooperative pool ever does.
///
/// Work reaches it through `perform`; whatever may only be touched there hangs off the `ReactorLoop` that the work is
/// given, which is not Sendable and so cannot leave.
final class Reactor: Sendable {
  private struct Inbox {
    var work: [@Sendable (ReactorLoop) -> Void] = []
    /// A byte in the pipe already says that there is work.
    var isAwake = false
  }

  private static let running = Locked<Reactor?>(nil)

  private let inbox = Locked(Inbox())
  private let wakeReader: Int32
  private let wakeWriter: Int32

  /// The reactor, started on first use.
  static func shared() throws(ProcessError) -> Reactor {
    try running.withLock { running throws(ProcessError) in
      if let running { return running }
      let reactor = try Reactor()
      running = reactor
      return reactor
    }
  }

  private init() throws(ProcessError) {
    var ends: [Int32] = [0, 0]
    let failure = cspawn_pipe(&ends)
    guard failure == 0 else { throw ProcessError(errno: failure, doing: "start watching processes") }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
    makeNonBlocking(wakeReader)
    makeNonBlocking(wakeWriter)
    let (reader, inbox) = (wakeReader, inbox)
    let started = startThread {
      cspawn_block_signals()
      let loop = ReactorLoop(wakeDescriptor: reader)
      while true {
        let work = inbox.withLock { inbox in
          inbox.isAwake = false
          defer { inbox.work.removeAll(keepingCapacity: true) }
          return inbox.work
        }
        for item in work { item(loop) }
        loop.turn()
      }
    }
    guard started == 0 else {
      close(wakeReader)
      close(wakeWriter)
      throw ProcessError(errno: started, doing: "start watching processes")
    }
  }

  /// Has `work` run on the reactor's thread, after all work handed over before. It must be short and must not block.
  func perform(_ work: @escaping @Sendable (ReactorLoop) -> Void) {
    let mustWake = inbox.withLock { inbox in
      inbox.work.append(work)
      defer { inbox.isAwake = true }
      return !inbox.isAwake
    }
    guard mustWake else { return }
    var byte: UInt8 = 1
    while write(wakeWriter, &byte, 1) < 0 && errno == EINTR {}
  }
}

/// Runs `body` on a new detached thread. Returns 0 or an errno.
func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, 512 * 1024)
  pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  let box = Unmanaged.passRetained(Box(body))
  #if canImport(Darwin)
    var thread: pthread_t?
    let failure = pthread_create(
      &thread, &attributes,
      { box in
        Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
  #else
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, &attributes,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
  #endif
  if failure != 0 { box.release() }
  return failure
}

func makeNonBlocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}
