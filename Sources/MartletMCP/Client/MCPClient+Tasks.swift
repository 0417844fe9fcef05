public import MartletJSON
import MartletSync

extension MCPClient {
  /// How often a task is asked about when the server does not say.
  private static let pollInterval = Duration.seconds(1)

  /// Where a task stands.
  public func task(_ id: String, options: MCPRequestOptions = MCPRequestOptions()) async throws -> MCPTask {
    try Self.task(try await withSession { try await $0.request(Method.getTask, ["taskId": .string(id)], options) })
  }

  /// Ends a task. It may take a while until it shows.
  public func cancelTask(_ id: String, options: MCPRequestOptions = MCPRequestOptions()) async throws {
    _ = try await withSession { try await $0.request(Method.cancelTask, ["taskId": .string(id)], options) }
  }

  /// Gives a task what it asks for, by the keys of ``MCPTask/inputRequests``.
  public func updateTask(
    _ id: String, inputResponses: JSONObject, options: MCPRequestOptions = MCPRequestOptions()
  ) async throws {
    let params: JSONObject = ["taskId": .string(id), "inputResponses": .object(inputResponses)]
    _ = try await withSession { try await $0.request(Method.updateTask, params, options) }
  }

  /// Waits for a task to end, and gives it what it asks for. Cancelling the waiting task cancels it at the server.
  /// - Throws: ``MCPError/Code/refused`` with the error that the call ended with; ``MCPError/Code/taskFailed`` if the
  ///   server cancelled it; `CancellationError`.
  public func result(
    of task: MCPTask, options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> MCPCallResult {
    do {
      let session = try await session()
      return switch session.facts.tasks {
      case .core: try await coreResult(of: task, options, session)
      case .extension, .absent: try await extensionResult(of: task, options)
      }
    } catch is CancellationError {
      current.withLock { $0 }?.post(Method.cancelTask, ["taskId": .string(task.id)])
      throw CancellationError()
    }
  }

  private func extensionResult(of task: MCPTask, _ options: MCPRequestOptions) async throws -> MCPCallResult {
    var task = task
    // The server may show a request again until it has taken note of the answer.
    var answeredKeys: Set<String> = []
    while true {
      switch task.status {
      case .completed: return MCPCallResult(fields: task.result ?? [:])
      case .failed:
        throw task.error.map { MCPError($0) }
          ?? MCPError(.taskFailed, "the task failed, and the server does not say why")
      case .cancelled: throw MCPError(.taskFailed, "the task was cancelled")
      case .inputRequired:
        var requests = task.inputRequests
        requests.removeAll { key, _ in answeredKeys.contains(key) }
        if !requests.isEmpty {
          let responses = try await gather(requests)
          answeredKeys.formUnion(requests.keys)
          try await updateTask(task.id, inputResponses: responses, options: options)
        }
      default: break
      }
      try await configuration.clock.sleep(for: task.pollInterval ?? Self.pollInterval)
      task = try await self.task(task.id, options: options)
    }
  }

  private func coreResult(
    of task: MCPTask, _ options: MCPRequestOptions, _ session: ClientSession
  ) async throws -> MCPCallResult {
    var task = task
    while !task.status.isFinal, task.status != .inputRequired {
      try await configuration.clock.sleep(for: task.pollInterval ?? Self.pollInterval)
      task = try await self.task(task.id, options: options)
    }
    if task.status == .cancelled { throw MCPError(.taskFailed, "the task was cancelled") }
    // Waits for the end; meanwhile the server may ask its questions.
    return MCPCallResult(
      fields: try await session.request(Method.taskResult, ["taskId": .string(task.id)], options, hasPatience: false))
  }
}
