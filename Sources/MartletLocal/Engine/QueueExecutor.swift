import Dispatch

/// Runs an actor on a queue of its own: a model computes, and a file is hashed, for milliseconds to minutes at a
/// stretch, which must not take a thread of the cooperative pool from everybody else.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [unowned(unsafe) self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
