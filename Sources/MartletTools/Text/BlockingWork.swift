import Dispatch
import MartletSync

/// Work that waits for disks, kept away from the threads of Swift concurrency.
enum BlockingWork {
  /// Tells the work that nobody wants its result any more.
  final class Cancellation: Sendable {
    private let flag = Locked(false)
    var isCancelled: Bool { flag.withLock { $0 } }
    fileprivate func cancel() { flag.withLock { $0 = true } }

    /// - Throws: `CancellationError` once the task is cancelled.
    func check() throws { if isCancelled { throw CancellationError() } }
  }

  /// Runs `work` on a thread that may block, and waits for it. `work` should ask its `Cancellation` every few
  /// milliseconds.
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Swift.Result { try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
