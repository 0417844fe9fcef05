#if os(Linux)
  import CCurl
  import Glibc
  import MartletSync

  /// What the loop's thread does: libcurl's multi handle over epoll, so that a wake-up costs the same with one transfer and
  /// with thousands. Made, used and released on that thread.
  final class CurlLoopThread {
    private let loop: CurlLoop
    private let place: Locked<CurlLoop?>?
    private let poller: Int32
    private let waker: Int32
    private let multi: UnsafeMutableRawPointer
    private let context = CurlExchange.Context()
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    /// Handles of finished transfers; making one anew is ten times as dear. The one used last stands last.
    private var spareHandles: [CurlHandle] = []
    private static let spareLimit = 16
    /// When libcurl wants to be called.
    private var timer: ContinuousClock.Instant?
    /// No transfer times out earlier.
    private var watchdog: ContinuousClock.Instant?
    /// So many rounds of commands, and tasks that run here, may come before sockets are looked at again.
    private static let roundLimit = 32
    /// Steps of tasks that were put in line on this thread, and the next of them. They need no lock.
    private var jobs: [(job: UnownedJob, executor: UnownedTaskExecutor)] = []
    private var nextJob = 0
    private var takesJobs = false
    private static let jobLimit = 64

    /// The thread that this code runs on, if it is one and belongs to the loop at that place.
    static func current(of place: Locked<CurlLoop?>) -> CurlLoopThread? {
      guard let context = ccurl_thread_context() else { return nil }
      let thread = Unmanaged<CurlLoopThread>.fromOpaque(context).takeUnretainedValue()
      return thread.place === place ? thread : nil
    }

    init(_ loop: CurlLoop, _ place: Locked<CurlLoop?>?, poller: Int32, waker: Int32) throws(HTTPError) {
      guard let multi = ccurl_multi_init() else {
        throw HTTPError(.unavailable, "There is not enough memory for the HTTP client.")
      }
      self.loop = loop
      self.place = place
      self.poller = poller
      self.waker = waker
      self.multi = multi
      ccurl_multi_set_callbacks(multi, curlWatches, curlSetsTimer, Unmanaged.passUnretained(self).toOpaque())
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, loop.configuration.idleConnectionLimit)
    }

    /// Puts a step of a task in line, from this thread; false when the thread is about to end.
    func accepts(_ job: UnownedJob, _ executor: UnownedTaskExecutor) -> Bool {
      if takesJobs { jobs.append((job, executor)) }
      return takesJobs
    }

    func run() {
      ccurl_set_thread_context(Unmanaged.passUnretained(self).toOpaque())
      takesJobs = true
      defer { ccurl_set_thread_context(nil) }
      var ready = [ccurl_ready](repeating: ccurl_ready(), count: 64)
      var readyCount = 0
      var rounds = 0
      while true {
        context.now = .now
        for event in ready.prefix(readyCount) {
          // A wake-up needs no answer: the loop looks at its commands anyway.
          if event.socket != waker { ccurl_multi_act(multi, event.socket, event.events) }
        }
        let (commands, isStopping) = loop.takeCommands()
        for command in commands { perform(command) }
        if isStopping {
          endJobs()
          return stop()
        }
        while let due = timer, due <= context.now {
          timer = nil
          ccurl_multi_act(multi, CURL_SOCKET_TIMEOUT, 0)
        }
        endFinished()
        if let watchdog, watchdog <= context.now { endOverdue() }
        for exchange in context.ready { exchange.publish() }
        context.ready.removeAll(keepingCapacity: true)
        runJobs()
        readyCount = 0
        let isIdle = jobs.isEmpty && loop.rest()
        rounds += 1
        guard isIdle || rounds == Self.roundLimit else { continue }
        rounds = 0
        readyCount = Int(max(0, ccurl_poller_wait(poller, isIdle ? waitTime : 0, &ready, Int32(ready.count))))
      }
    }

    /// Runs what is in line, also what comes into it meanwhile, for a while.
    private func runJobs() {
      let end = nextJob + Self.jobLimit
      while nextJob < min(jobs.count, end) {
        let (job, executor) = jobs[nextJob]
        nextJob += 1
        job.runSynchronously(on: executor)
      }
      if nextJob == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        nextJob = 0
      } else if nextJob > jobs.count / 2 {
        jobs.removeFirst(nextJob)
        nextJob = 0
      }
    }

    /// What is in line when the thread ends goes on elsewhere.
    private func endJobs() {
      takesJobs = false
      for (job, executor) in jobs[nextJob...] { CurlTaskExecutor.runElsewhere(job, executor) }
      jobs = []
      nextJob = 0
    }

    private var waitTime: Int32 {
      guard let next = Self.earlier(timer, watchdog) else { return -1 }
      return Int32(clamping: max(0, (next - context.now).wholeMilliseconds + 1))
    }

    private func perform(_ command: CurlLoop.Command) {
      switch command {
      case .start(let transfer): start(transfer)
      case .cancel(let transfer): remove(transfer)
      case .resume(let transfer):
        guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
        exchange.resume()
        watch(exchange)
      case .letGo(let transfer):
        guard let exchange = exchanges[ObjectIdentifier(transfer)] else { return }
        exchange.letGo()
        watch(exchange)
      case .run(let job, let executor): job.runSynchronously(on: executor)
      }
    }

    private func start(_ transfer: CurlTransfer) {
      do throws(HTTPError) {
        let exchange = try CurlExchange(
          transfer, configuration: loop.configuration, context: context, handle: spareHandle)
        exchanges[ObjectIdentifier(transfer)] = exchange
        guard ccurl_multi_add(multi, exchange.handle.easy) == CURLM_OK else {
          remove(transfer)
          throw HTTPError(.unavailable, "The HTTP client cannot take another request.")
        }
        watch(exchange)
      } catch {
        transfer.fail(error)
      }
    }

    /// The handle that was used last for requests of this kind, else any.
    private func spareHandle(_ kind: CurlHandle.Kind) -> CurlHandle? {
      if let index = spareHandles.lastIndex(where: { $0.isSet(for: kind) }) { return spareHandles.remove(at: index) }
      return spareHandles.isEmpty ? CurlHandle() : spareHandles.removeFirst()
    }

    /// Takes a transfer out; its connection closes unless it is complete.
    private func remove(_ transfer: CurlTransfer, isComplete: Bool = false) {
      guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
      ccurl_multi_remove(multi, exchange.handle.easy)
      exchange.handle.detach(isComplete: isComplete)
      if spareHandles.count < Self.spareLimit { spareHandles.append(exchange.handle) }
    }

    private func endFinished() {
      var result = CURLE_OK
      while let easy = ccurl_multi_next_done(multi, &result) {
        guard let context = ccurl_private(easy),
          let exchange = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue().exchange
        else { continue }
        remove(exchange.transfer, isComplete: result == CURLE_OK)
        exchange.finish(result)
      }
    }

    /// Makes sure that the watchdog looks at a transfer in time.
    private func watch(_ exchange: CurlExchange) {
      watchdog = Self.earlier(watchdog, Self.earlier(exchange.transfer.deadline, exchange.nextIdleCheck))
    }

    private static func earlier(
      _ first: ContinuousClock.Instant?, _ second: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
      guard let first, let second else { return first ?? second }
      return min(first, second)
    }

    private func endOverdue() {
      watchdog = nil
      for exchange in exchanges.values {
        if let error = exchange.overdue {
          remove(exchange.transfer)
          exchange.finish(error)
        } else {
          watch(exchange)
        }
      }
    }

    private func stop() {
      for exchange in exchanges.values {
        remove(exchange.transfer)
        exchange.finish(CurlLoop.shutDown)
      }
      context.ready = []
      spareHandles = []
      ccurl_multi_cleanup(multi)
    }

    fileprivate func watch(_ socket: curl_socket_t, _ what: Int32) { _ = ccurl_poller_watch(poller, socket, what) }

    fileprivate func setTimer(milliseconds: Int) {
      timer = milliseconds < 0 ? nil : context.now + .milliseconds(milliseconds)
    }
  }

  private func curlWatches(
    _: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
  ) -> Int32 {
    if let context { Unmanaged<CurlLoopThread>.fromOpaque(context).takeUnretainedValue().watch(socket, what) }
    return 0
  }

  private func curlSetsTimer(_: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?)
    -> Int32
  {
    if let context {
      Unmanaged<CurlLoopThread>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    }
    return 0
  }
#endif
