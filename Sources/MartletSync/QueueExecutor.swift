import Dispatch

/// Runs an actor on a queue of its own, so that what blocks or computes for long (`fsync`, a busy database, a model) never
/// holds a thread of the cooperative pool.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// - Parameter label: the queue's name, for debuggers.
  package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
