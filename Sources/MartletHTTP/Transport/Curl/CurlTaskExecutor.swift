#if os(Linux)
  import Dispatch
  import MartletSync

  /// Runs tasks on a transport's thread.
  final class CurlTaskExecutor: TaskExecutor {
    private let loop: Locked<CurlLoop?>
    private let configuration: CurlTransport.Configuration

    init(_ loop: Locked<CurlLoop?>, _ configuration: CurlTransport.Configuration) {
      self.loop = loop
      self.configuration = configuration
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      if let thread = CurlLoopThread.current(of: loop), thread.accepts(job, executor) { return }
      do throws(HTTPError) {
        if try CurlLoop.running(in: loop, configuration).accepts(.run(job, executor)) { return }
      } catch {
        // Without a thread of ours; requests say why there is none.
      }
      Self.runElsewhere(job, executor)
    }

    static func runElsewhere(_ job: UnownedJob, _ executor: UnownedTaskExecutor) {
      DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
  }
#endif
