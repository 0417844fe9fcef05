extension AgentLoop {
  /// About how many tokens the next request has: counted where that was done, else estimated from the last reply's usage
  /// and the bytes that came since.
  public var estimatedInputTokens: Int {
    let bytes = contextBytes + historyBytes
    if let count = contextLimits?.count, count.bytes == bytes { return count.tokens }
    return estimator.tokens(ofRequest: bytes)
  }

  /// What would make the conversation shorter, for one of these reasons; nil when nothing would, or nothing is to be done.
  func plan(_ reason: ContextPlan.Reason, from level: Int = 0) -> ContextPlan? {
    guard let contextLimits else { return nil }
    return ContextPlanner(self, limits: contextLimits, reason: reason).plan(from: level)
  }

  /// What has to be done before the next request, if it would not fit or the policy says so.
  func pendingCompaction(_ run: RunState) -> ContextPlan? {
    guard let limits = contextLimits else { return nil }
    if let limit = limits.policy.messageLimit, run.iteration == 1, run.compactions == 0, run.attempt == 0,
      run.messagesBefore ?? 0 > limit.over, let plan = plan(.messages)
    {
      return plan
    }
    guard let window = limits.window else { return nil }
    let room = window - limits.reserved(for: context?.options.maxOutputTokens)
    let threshold = run.compactions == 0 ? limits.policy.threshold : 1
    guard Double(estimatedInputTokens) > Double(room) * threshold else { return nil }
    return plan(.full, from: run.compactions)
  }

  /// Whether a request that is too long may be made shorter and sent again.
  var canShorten: Bool { plan(.overflow, from: run?.compactions ?? 0) != nil }

  /// The tools of the next epoch: the given ones in the order of their names, so that it does not matter in which order
  /// they were registered (invariant I2), and what finds again what was left out.
  func offered(_ tools: [ToolDefinition]) -> [ToolDefinition] {
    var tools = tools
    if hasCompacted, contextLimits?.policy.offersSearch ?? true,
      !tools.contains(where: { $0.name == SearchHistoryTool.definition.name })
    {
      tools.append(SearchHistoryTool.definition)
    }
    return tools.sorted { $0.name < $1.name }
  }
}
