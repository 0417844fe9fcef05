/// An output stream of a child, in the chunks in which it comes.
///
/// Single pass, one reader. Reading what the child writes pauses while unread bytes wait, so a slow reader slows the
/// child and costs no memory. The stream ends when the child and its group have closed it, or shortly after the child
/// itself has ended. Iterating throws `CancellationError` when the task is cancelled, and then no byte is lost: a later
/// iteration goes on.
public struct ChildOutput: AsyncSequence, Sendable {
  let core: ChildCore
  let port: ChildCore.Port

  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: ChildCore
    let port: ChildCore.Port

    public mutating func next() async throws -> [UInt8]? {
      while true {
        try Task.checkCancellation()
        switch core.take(port) {
        case .bytes(let bytes, _): return bytes
        case .ended: return nil
        case .busy: preconditionFailure("an output stream of a child process has two readers")
        case .wait(let latch):
          defer { core.forget(latch, of: port) }
          try await latch.wait()
        }
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(core: core, port: port) }
}

@available(*, unavailable) extension ChildOutput.AsyncIterator: Sendable {}
