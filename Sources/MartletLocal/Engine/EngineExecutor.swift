import Dispatch

/// Runs an actor on a queue of its own: a model computes for milliseconds to minutes at a stretch, which must not take
/// a thread of the cooperative pool from everybody else.
final class EngineExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "martlet.engine", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [unowned(unsafe) self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
