/// A running process that one talks to: a server on standard input and output, an interpreter.
///
/// To run a program to its end use ``ProcessCommand/run(input:limits:)``. End every child with ``shutDown(inputGrace:terminateGrace:)``;
/// one that is merely dropped is killed with its group. All methods may be called from any task, also at once.
public final class ChildProcess: Sendable {
  /// What becomes of standard error, where the command keeps it separate.
  public enum ErrorHandling: Sendable, Hashable {
    /// Read at once; the last lines are kept for ``ChildProcess/errorLines``.
    case lastLines(Int)
    /// Read through ``ChildProcess/errorOutput``. Unread output makes the child wait.
    case stream
  }

  private let core: ChildCore

  /// The id of the process and of its group.
  public var id: Int32 { core.pid }
  /// Standard output (and standard error, when merged).
  public let output: ChildOutput
  /// Standard error, empty unless it is a ``ErrorHandling/stream``.
  public let errorOutput: ChildOutput

  /// Starts a process with its standard input open.
  ///
  /// - Parameter buffer: bytes of each stream that are read ahead of their reader.
  /// - Throws: ``ProcessError``, or `CancellationError` if the task is cancelled before the start.
  public static func start(
    _ command: ProcessCommand, errorHandling: ErrorHandling = .lastLines(200), buffer: Int = 256 * 1_024
  ) async throws -> ChildProcess {
    try Task.checkCancellation()
    let reactor = try Reactor.shared()
    let spawned = try await SpawnedProcess.start(command, hasInput: true)
    let error: OutputPort.Sink =
      switch errorHandling {
      case .lastLines(let count): .lines(LineTail(lineLimit: count))
      case .stream: .stream(capacity: buffer)
      }
    let core = ChildCore(
      spawned, reactor: reactor, limits: ProcessLimits(), output: .stream(capacity: buffer), error: error)
    return ChildProcess(core)
  }

  init(_ core: ChildCore) {
    self.core = core
    output = ChildOutput(core: core, port: .output)
    errorOutput = ChildOutput(core: core, port: .error)
  }

  deinit { core.stop(.dropped, grace: .zero) }

  /// Writes bytes to the child's standard input and waits until its pipe has taken them all.
  ///
  /// Writes from several tasks go out one after the other, never mixed. A cancelled write is dropped if none of its
  /// bytes has gone out; otherwise it is completed in the background, because half a message would spoil all after it.
  ///
  /// - Throws: ``ProcessError/Code/inputClosed``, or `CancellationError`.
  public func write(_ bytes: [UInt8]) async throws {
    try Task.checkCancellation()
    guard !bytes.isEmpty else { return }
    let (done, id) = try core.enqueue(bytes)
    do {
      try await done.wait()
    } catch let error as CancellationError {
      core.withdrawWrite(id)
      throw error
    }
  }

  /// Ends the child's standard input once all that was written before has gone out.
  public func closeInput() { core.closeInput() }

  /// The last lines of standard error so far, the last perhaps unfinished.
  public var errorLines: [String] { core.errorLines }

  /// Sends a signal to the whole group, unless the child has ended.
  public func send(signal: Int32) { core.send(signal) }

  /// Waits until the process itself has ended, whatever processes it left and whatever output is still unread.
  ///
  /// - Throws: `CancellationError`; the child runs on.
  public func waitForExit() async throws -> ExitStatus {
    while true {
      switch core.exit() {
      case .ready(let status): return status
      case .pending(let latch):
        defer { core.forget(latch) }
        try await latch.wait()
      }
    }
  }

  /// Ends the child and waits until nothing of its group is left: closes its input, after `inputGrace` sends SIGTERM to
  /// the group, after `terminateGrace` more SIGKILL. What it still writes can be read from ``output`` afterwards.
  ///
  /// Completes also when the task is cancelled, and then without the patience of `inputGrace`. May be called again.
  ///
  /// - Returns: how it ended; ``ExitStatus/unknown`` if it survived even SIGKILL.
  @discardableResult
  public func shutDown(
    inputGrace: Duration = .seconds(1), terminateGrace: Duration = .seconds(2)
  ) async -> ExitStatus {
    core.closeInput()
    if inputGrace > .zero {
      _ = await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await self.waitForExit() }  // only cancellation ends it early, by design
        group.addTask { try? await Task.sleep(for: inputGrace) }
        await group.next()
        group.cancelAll()
      }
    }
    core.stop(.requested, grace: terminateGrace)
    return await core.waitUntilEnded().status
  }
}
