import MartletJSON
import MartletSync

extension Agent {
  /// Checks a call, asks for permission where that is needed, runs the tool and records the result.
  func performTool(_ call: ToolCall, approved: Bool) async {
    runningTools[call.id] = RunningTool()
    defer { runningTools[call.id] = nil }
    let tool = await availableTool(named: call.name) ?? historyTool(named: call.name)
    await environment.script?.turn(.checks(callId: call.id), in: id)
    guard isLive(call) else { return }
    guard let tool, loop.definition(of: call.name) != nil else {
      let names = loop.context?.tools.map(\.name).joined(separator: ", ") ?? ""
      finish(
        .failure(
          call, code: .unknownTool, "No tool named \(call.name). The tools are: \(names.isEmpty ? "none" : names)."))
      return
    }
    var ready = call
    switch tool.prepare(call) {
    case .refused(let reason):
      finish(.failure(call, code: .invalidArguments, reason))
      return
    case .ready(let arguments): ready.arguments = .object(arguments)
    }
    switch permission(for: ready, tool.definition, approved: approved ? call : nil) {
    case .allow: break
    case .ask:
      let options = ApprovalOption.standard(
        for: ready, tool.definition, scopes: configuration.permissionStore?.scopes ?? [])
      append([
        .approvalRequested(ApprovalRequested(approvalId: environment.makeID(), call: ready, options: options))
      ])
      await flushQuietly()
      return
    case .deny(let reason):
      finish(.failure(call, code: .denied, "This call is not allowed: \(reason)."))
      return
    }
    append([.toolStarted(ToolStarted(call: ready, effect: tool.definition.effect))])
    do { try await flush() } catch { return }
    await environment.script?.turn(.call(callId: call.id), in: id)
    guard isLive(call), loop.cancelRequest == nil else {
      finish(.failure(call, code: .interrupted, "Not run: the user stopped the run."))
      return
    }
    await run(tool, ready)
  }

  /// The agent's own tool that finds what was left out of the view.
  private func historyTool(named name: String) -> AnyTool? {
    guard name == SearchHistoryTool.definition.name else { return nil }
    do {
      return try AnyTool(SearchHistoryTool(search: HistorySearch(store: store, session: id, owner: owner)))
    } catch {
      environment.log.log(.error, "search_history cannot be used", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Whether the call is still part of the open turn and without a result.
  private func isLive(_ call: ToolCall) -> Bool {
    look { $0.run?.calls.first { $0.call.id == call.id }?.isFinished == false }
  }

  private func finish(_ result: ToolResult, durationMs: Double = 0) {
    let isOpen = look { $0.run?.calls.contains { $0.call.id == result.callId && !$0.isFinished } == true }
    guard isOpen else { return }
    append([.toolFinished(ToolFinished(result, durationMs: durationMs))])
  }

  func flushQuietly() async {
    do { try await flush() } catch {
      // The drive loop meets the same failure and ends the run with it.
    }
  }

  private func run(_ tool: AnyTool, _ call: ToolCall) async {
    guard case .object(let arguments) = call.arguments else { return }
    let race = ToolRace()
    let context = context(for: call)
    let trace = environment.trace
    let tool = environment.script?.tool(tool, callId: call.id, in: id) ?? tool
    // The executor may be one thread that carries all requests: a tool that takes its time, or never gives it back, would
    // hold up everything there, the agent that has to abandon it too.
    let executor = tool.definition.isInstant ? environment.executor : nil
    // Owned by this call: it ends before the call does, or is abandoned and reported so.
    let work = Task(on: executor) { @concurrent in
      do {
        if let trace {
          let output = try await trace.withSpan(GenAI.executeTool) { span in
            span.setAttribute(GenAI.toolName, call.name)
            span.setAttribute(GenAI.toolCallID, call.id)
            return try await tool.call(arguments, context: context)
          }
          race.end(.output(output))
        } else {
          race.end(.output(try await tool.call(arguments, context: context)))
        }
      } catch {
        race.end(.error(error))
      }
    }
    runningTools[call.id]?.work = work
    runningTools[call.id]?.race = race
    let started = environment.uptime()
    let timeout = tool.timeout ?? configuration.toolTimeout
    watch(.timeout(callId: call.id), after: timeout)
    let end = await race.value
    watchdog.remove(.timeout(callId: call.id))
    watchdog.remove(.abandon(callId: call.id))
    if case .error(let error) = end, let needed = error as? InputNeeded, loop.cancelRequest == nil,
      runningTools[call.id]?.hasTimedOut != true
    {
      return await request(needed, for: call)
    }
    let duration = environment.script?.duration(of: call.id, in: id) ?? environment.uptime() - started
    let hasTimedOut = runningTools[call.id]?.hasTimedOut ?? false
    let effect = tool.definition.effect
    let result: ToolResult
    switch end {
    case .output(let output): result = await limited(output, of: call)
    case .abandoned:
      result = .failure(
        call, code: .toolAbandoned,
        "\(call.name) did not stop when told to. It may still take effect; what it does from here on is dropped.")
    case .error(let error):
      if hasTimedOut {
        result =
          effect == .once
          ? .failure(
            call, code: .outcomeUnknown,
            "\(call.name) took longer than \(timeout) and was stopped. It may or may not have taken effect: check before doing it again."
          )
          : .failure(call, code: .timeout, "\(call.name) took longer than \(timeout) and was stopped.")
      } else if error is InputNeeded {
        result = .failure(call, code: .interrupted, "Not run: the user stopped the run before it had what it needs.")
      } else if error is CancellationError {
        result =
          effect == .once
          ? .failure(
            call, code: .outcomeUnknown, "\(call.name) was stopped while it ran. It may or may not have taken effect.")
          : .failure(call, code: .interrupted, "\(call.name) was stopped while it ran.")
      } else if let refused = error as? AnyTool.ArgumentsRefused {
        result = .failure(call, code: .invalidArguments, "The arguments of \(call.name) do not fit: \(refused.reason)")
      } else {
        result = await limited(.failure("\(call.name) failed: \(error)"), of: call)
      }
    }
    environment.metrics?.record(duration, for: GenAI.executeTool, dimensions: [(GenAI.toolName, call.name)])
    finish(
      result, durationMs: Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3)
    await flushQuietly()
  }

  private func context(for call: ToolCall) -> ToolContext {
    ToolContext(
      session: id, user: configuration.user, callId: call.id, locale: configuration.locale,
      timeZone: configuration.timeZone, tokenLimit: configuration.toolResultLimit / 4,
      workingDirectory: configuration.workingDirectory, idempotencyKey: "\(id)/\(call.id)",
      inputs: look { $0.run?.inputs[call.id] } ?? [], environment: environment,
      results: { [store, id, owner] callId in
        try await (store as? any BlobStore)?.blob(callId, session: id, owner: owner)
      },
      report: { [progress, wakeup] step in
        progress.withLock { $0[call.id] = step }
        wakeup.set()
      })
  }

  /// Shows what tools told of their progress; of calls that are over nothing is shown.
  func publishProgress() {
    let steps = progress.withLock { progress -> [String: ToolContext.Progress] in
      defer { progress = [:] }
      return progress
    }
    for (callId, step) in steps.sorted(by: { $0.key < $1.key }) where runningTools[callId] != nil {
      publish(
        .toolProgress(
          ToolProgress(callId: callId, progress: step.progress, total: step.total, message: step.message)))
    }
  }

  /// The output as a result: never empty, and its text no longer than the configured limit. The whole of a text that is
  /// cut is kept with the session.
  private func limited(_ output: ToolOutput, of call: ToolCall) async -> ToolResult {
    var content = output.content.filter { $0.text?.isEmpty != true }
    if content.isEmpty { content = [.text("(no output)")] }
    let texts = content.compactMap(\.text)
    if texts.reduce(0, { $0 + $1.utf8.count }) > configuration.toolResultLimit {
      let bytes = Array(texts.joined(separator: "\n").utf8)
      let place = await keep(bytes, of: call)
      let text = KeptText(bytes).excerpt(limit: configuration.toolResultLimit - 200) { left, count in
        let advice = place.map { "read_file gives them with path \($0) and offset \(left.lowerBound)" }
        return
          "[… lines \(left.lowerBound) to \(left.upperBound) of \(count) left out: \(advice ?? "ask for less at a time") …]"
      }
      content = [.text(text)] + content.filter { $0.text == nil }
    }
    return ToolResult(
      callId: call.id, name: call.name, content: content, isError: output.isError, code: output.code)
  }

  /// Keeps the whole of a result, where the store can and the model has a tool that reads it. Gives the name to read it by.
  private func keep(_ bytes: [UInt8], of call: ToolCall) async -> String? {
    guard let store = store as? any BlobStore, let lease, loop.definition(of: "read_file") != nil else { return nil }
    do {
      try await store.keep(bytes, id: call.id, lease: lease)
      return KeptText.scheme + call.id
    } catch {
      environment.log.log(
        .warning, "the whole of a result could not be kept", metadata: ["tool.name": call.name, "error": "\(error)"])
      return nil
    }
  }

  // MARK: - Stopping

  func stopTool(_ callId: String) {
    guard let running = runningTools[callId] else {
      // A tool that this agent does not run cannot be stopped: its outcome is what a lost one's is.
      return
    }
    running.work?.cancel()
    if running.work != nil { watch(.abandon(callId: callId), after: configuration.cancellationGrace) }
  }
}
