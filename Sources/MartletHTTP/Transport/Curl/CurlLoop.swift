#if os(Linux)
  import CCurl
  import Glibc
  import MartletSync

  /// One thread that runs all transfers of a transport, as others see it: a queue of commands.
  final class CurlLoop: Sendable {
    enum Command: Sendable {
      case start(CurlTransfer)
      /// Its reader went away.
      case cancel(CurlTransfer)
      /// Its reader made room, or the stream to upload has more.
      case resume(CurlTransfer)
      /// Its reader has all it wants.
      case letGo(CurlTransfer)
      /// A step of a task that runs on the thread.
      case run(UnownedJob, UnownedTaskExecutor)
    }

    private struct State {
      var commands: [Command] = []
      var isStopping = false
      /// The thread waits for a wake-up.
      var isResting = false
      var hasEnded = false
      var stopWaiters: [CheckedContinuation<Void, Never>] = []
      /// Where the loop is to be found, until its thread knows it.
      var place: Locked<CurlLoop?>?
    }

    let configuration: CurlTransport.Configuration
    private let state: Locked<State>
    private let poller: Int32
    private let waker: Int32

    /// Starts the thread. It ends with ``stop()``.
    init(_ configuration: CurlTransport.Configuration, in place: Locked<CurlLoop?>) throws(HTTPError) {
      self.configuration = configuration
      state = Locked(State(place: place))
      poller = ccurl_poller_create()
      waker = ccurl_waker_create()
      guard poller >= 0, waker >= 0, ccurl_poller_watch_waker(poller, waker) == 0 else {
        let reason = String(cString: strerror(errno))
        if poller >= 0 { close(poller) }
        if waker >= 0 { close(waker) }
        throw HTTPError(.unavailable, "The HTTP client cannot start: \(reason).")
      }
      var thread = pthread_t()
      let this = Unmanaged.passRetained(self)
      let result = pthread_create(&thread, nil, runCurlLoop, this.toOpaque())
      guard result == 0 else {
        this.release()
        close(poller)
        close(waker)
        throw HTTPError(.unavailable, "The HTTP client cannot start its thread: \(String(cString: strerror(result))).")
      }
      pthread_detach(thread)
    }

    /// The loop of a transport, started if there is none.
    static func running(
      in place: Locked<CurlLoop?>, _ configuration: CurlTransport.Configuration
    ) throws(HTTPError) -> CurlLoop {
      try place.withLock { loop throws(HTTPError) in
        if let loop { return loop }
        let started = try CurlLoop(configuration, in: place)
        loop = started
        return started
      }
    }

    /// Gives a command to the thread. A transfer that is to start after ``stop()`` ends at once.
    func post(_ command: Command) {
      if !accepts(command), case .start(let transfer) = command { transfer.fail(Self.shutDown) }
    }

    /// Gives a command to the thread; false after ``stop()``.
    func accepts(_ command: Command) -> Bool {
      let (wakes, isStopping) = state.withLock { state in
        guard !state.isStopping else { return (false, true) }
        state.commands.append(command)
        defer { state.isResting = false }
        return (state.isResting, false)
      }
      if wakes { ccurl_waker_wake(waker) }
      return !isStopping
    }

    /// Ends all transfers and the thread.
    func stop() {
      state.withLock { $0.isStopping = true }
      ccurl_waker_wake(waker)
    }

    /// Returns when all connections are closed.
    func stopAndWait() async {
      stop()
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.stopWaiters.append(continuation) }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
      }
    }

    static var shutDown: HTTPError { HTTPError(.shutDown, "The HTTP client was shut down.") }

    // MARK: On the thread

    fileprivate func run() {
      // A broken connection must not kill the process, and signals are for other threads.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      ccurl_name_thread("martlet-http")
      do throws(HTTPError) {
        try CurlLibrary.load()
        let place = state.withLock { state in
          defer { state.place = nil }
          return state.place
        }
        try CurlLoopThread(self, place, poller: poller, waker: waker).run()
      } catch {
        refuseAll(error)
      }
      close(poller)
      close(waker)
      let waiters = state.withLock { state in
        state.hasEnded = true
        defer { state.stopWaiters = [] }
        return state.stopWaiters
      }
      for waiter in waiters { waiter.resume() }
    }

    func takeCommands() -> (commands: [Command], isStopping: Bool) {
      state.withLock { state in
        var commands: [Command] = []
        swap(&commands, &state.commands)
        return (commands, state.isStopping)
      }
    }

    /// Whether the thread has nothing to do but to wait for sockets. From then on a command wakes it.
    func rest() -> Bool {
      state.withLock { state in
        state.isResting = state.commands.isEmpty && !state.isStopping
        return state.isResting
      }
    }

    /// Without libcurl: answers every request with the reason.
    private func refuseAll(_ error: HTTPError) {
      while true {
        let (commands, isStopping) = takeCommands()
        for command in commands {
          switch command {
          case .start(let transfer): transfer.fail(error)
          case .run(let job, let executor): job.runSynchronously(on: executor)
          case .cancel, .resume, .letGo: break
          }
        }
        if isStopping { return }
        var ready = ccurl_ready()
        if rest() { _ = ccurl_poller_wait(poller, -1, &ready, 1) }
      }
    }
  }

  private func runCurlLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif
