public import MartletJSON

extension Agent {
  /// Gives an input that a call asked for; the run it belongs to goes on as after `resolve(approval:_:)`.
  /// - Parameter value: nil declines it.
  /// - Throws: `AgentError`: `.alreadyAnswered` when somebody was faster or it is too late; `.notFound` when no such input
  ///   was asked for or its run is over; `.storage` when another process has the session.
  public func resolve(input inputId: String, _ value: JSONValue?) async throws {
    try await open()
    do {
      guard let request = openInput(inputId) else { throw await inputNotOpen(inputId) }
      let isLate = isExpired(request)
      var resolved = InputResolved(inputId: inputId, declined: true)
      if !isLate, let value { resolved = InputResolved(inputId: inputId, value: value) }
      try await commit([.inputResolved(resolved)])
      if isLate {
        throw AgentError(code: .alreadyAnswered, message: "input \(inputId) came too late and counts as declined")
      }
    } catch {
      await letGoOfParkedRun()
      throw error
    }
    await letGoOfParkedRun()
  }

  private func openInput(_ id: String) -> InputRequested? { loop.openInputs.first { $0.inputId == id } }

  /// Whether an input would come too late.
  func isExpired(_ request: InputRequested) -> Bool {
    request.expires.flatMap(Timestamp.init).map { $0 <= environment.now() } ?? false
  }

  /// Why an input cannot be given, in words that say what became of it.
  private func inputNotOpen(_ id: String) async -> AgentError {
    var wasAsked = false
    var answered: AgentError?
    do {
      try await flush()
      try await eachRecord { record in
        switch record.event {
        case .inputRequested(let request) where request.inputId == id: wasAsked = true
        case .inputResolved(let answer) where answer.inputId == id && answered == nil:
          let verdict = answer.declined ? "declined" : "given"
          answered = AgentError(
            code: .alreadyAnswered,
            message: "input \(id) was \(verdict) before, at \(record.time); this changed nothing")
        default: break
        }
      }
    } catch {
      return Self.storageError(error)
    }
    return answered
      ?? AgentError(
        code: .notFound,
        message: wasAsked
          ? "input \(id) is not open: its run is over" : "no input \(id) was asked for in session \(self.id)")
  }

  // MARK: - Asking

  /// Records that a call needs something before it can go on.
  func request(_ needed: InputNeeded, for call: ToolCall) async {
    append([
      .inputRequested(
        InputRequested(
          inputId: environment.makeID(), callId: call.id, kind: needed.kind.rawValue, payload: needed.payload,
          expires: needed.expires?.description))
    ])
    await flushQuietly()
  }

  func ask(_ provider: any InputProvider, _ request: InputRequested) async {
    // Somebody may have been faster than this.
    guard openInput(request.inputId) != nil else { return }
    let value: JSONValue?
    asking.insert(request.inputId)
    do {
      defer { asking.remove(request.inputId) }
      value = try await provider.input(for: request)
    } catch is CancellationError {
      return
    } catch {
      if !(error is InputDeferred) {
        environment.log.log(.warning, "an input could not be asked for", metadata: ["error": "\(error)"])
      }
      deferredInputs.insert(request.inputId)
      return
    }
    guard !Task.isCancelled, openInput(request.inputId) != nil else { return }
    append([.inputResolved(InputResolved(inputId: request.inputId, value: value, declined: value == nil))])
    await flushQuietly()
  }
}
