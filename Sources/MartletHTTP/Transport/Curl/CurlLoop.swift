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
    }

    private struct State {
      var commands: [Command] = []
      var isStopping = false
      var hasEnded = false
      var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: CurlTransport.Configuration
    private let state = Locked(State())
    private let poller: Int32
    private let waker: Int32

    /// Starts the thread. It ends with ``stop()``.
    init(_ configuration: CurlTransport.Configuration) throws(HTTPError) {
      self.configuration = configuration
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

    /// Gives a command to the thread. A transfer that is to start after ``stop()`` ends at once.
    func post(_ command: Command) {
      let (wasEmpty, isStopping) = state.withLock { state in
        guard !state.isStopping else { return (false, true) }
        state.commands.append(command)
        return (state.commands.count == 1, false)
      }
      if wasEmpty { ccurl_waker_wake(waker) }
      if isStopping, case .start(let transfer) = command { transfer.fail(Self.shutDown) }
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
        try CurlLoopThread(self, poller: poller, waker: waker).run()
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

    /// Without libcurl: answers every request with the reason.
    private func refuseAll(_ error: HTTPError) {
      while true {
        let (commands, isStopping) = takeCommands()
        for case .start(let transfer) in commands { transfer.fail(error) }
        if isStopping { return }
        var ready = ccurl_ready()
        _ = ccurl_poller_wait(poller, -1, &ready, 1)
      }
    }
  }

  private func runCurlLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif
