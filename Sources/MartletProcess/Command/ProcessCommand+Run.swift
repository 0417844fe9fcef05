extension ProcessCommand {
  /// Runs the program until it and its whole process group have ended.
  ///
  /// Input is written while output is read, so neither side can block the other. When the program itself has ended, the
  /// rest of its group (background jobs) is ended too: SIGTERM, and SIGKILL 200 ms later. A process that left the group
  /// (`setsid`) lives on after a normal end, unless `limits.endsRunaways`; when the run is ended early it is found by its
  /// environment and killed, on Linux.
  ///
  /// Cancelling the task ends the group with `limits.grace` between SIGTERM and SIGKILL; the call throws
  /// `CancellationError` only when all are gone.
  ///
  /// - Throws: ``ProcessError`` if the program cannot be started or survives SIGKILL; what an input stream throws;
  ///   `CancellationError`. A failing program is no error: look at ``ProcessResult/status``.
  public func run(input: ProcessInput = .none, limits: ProcessLimits = ProcessLimits()) async throws -> ProcessResult {
    try Task.checkCancellation()
    let reactor = try Reactor.shared()
    let hasInput = if case .none = input { false } else { true }
    let spawned = try await SpawnedProcess.start(self, hasInput: hasInput)
    let capture = OutputPort.Sink.capture(OutputCapture(limit: limits.keptOutput))
    let core = ChildCore(spawned, reactor: reactor, limits: limits, output: capture, error: capture)
    let outcome = try await withTaskCancellationHandler {
      try await core.feed(input, grace: limits.grace)
    } onCancel: {
      core.stop(.cancelled, grace: limits.grace)
    }
    if outcome.isUnkillable {
      throw ProcessError(.unkillable, "process \(core.pid) cannot be ended: it survives SIGKILL")
    }
    let ending: ProcessResult.Ending
    switch outcome.stopReason {
    case .timedOut: ending = .timedOut
    case .tooMuchOutput: ending = .tooMuchOutput
    case .cancelled: throw CancellationError()
    case .requested, .dropped, nil: ending = .ended
    }
    return ProcessResult(ending: ending, status: outcome.status, output: outcome.output, error: outcome.error)
  }

  /// Starts the program in a session of its own and leaves it to itself: it lives on when this process, its terminal or
  /// its task ends. It reads nothing, and what it writes is thrown away.
  ///
  /// - Throws: ``ProcessError`` if it cannot be started.
  package func startDetached() async throws { try await SpawnedProcess.startDetached(self) }
}

extension ChildCore {
  /// Gives the child its input and waits for its end.
  fileprivate func feed(_ input: ProcessInput, grace: Duration) async throws -> Outcome {
    switch input {
    case .none:
      return await waitUntilEnded()
    case .bytes(let bytes):
      // A program that does not read its input is none of our business.
      if !bytes.isEmpty { _ = try? enqueue(bytes) }
      closeInput()
      return await waitUntilEnded()
    case .stream(let next):
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          do {
            while let bytes = try await next() {
              guard !bytes.isEmpty else { continue }
              let (done, _) = try self.enqueue(bytes)
              try await done.wait()
            }
            self.closeInput()
          } catch let error as ProcessError where error.code == .inputClosed {
            return
          } catch {
            self.stop(.cancelled, grace: grace)
            throw error
          }
        }
        let outcome = await waitUntilEnded()
        group.cancelAll()
        do {
          try await group.waitForAll()
        } catch is CancellationError where outcome.stopReason != .cancelled {
          // The program ended before its input did.
        }
        return outcome
      }
    }
  }

  /// Waits for the end, also when the task is cancelled: who wants it earlier stops the child.
  func waitUntilEnded() async -> Outcome {
    while true {
      switch outcome() {
      case .ready(let outcome): return outcome
      case .pending(let latch): try? await latch.waitUntilSettled()  // the end settles it with success
      }
    }
  }
}
