extension Agent {
  /// Makes sure a deadline is noticed.
  func watch(_ deadline: Watchdog.Deadline, after delay: Duration) {
    if environment.script?.ownsTime == true { return }
    let moment = environment.uptime() + delay
    watchdog.set(deadline, at: moment)
    // The sleeping task wakes for the earliest deadline it knew; a new one before that needs an earlier riser.
    if watchdogTask != nil, let wakesAt = watchdogWakesAt, wakesAt <= moment { return }
    watchdogTask?.cancel()
    watchdogWakesAt = moment
    watchdogTask = Task { await self.watchDeadlines() }
  }

  private func watchDeadlines() async {
    while let next = watchdog.next {
      watchdogWakesAt = next
      do {
        try await environment.clock.sleep(for: max(.zero, next - environment.uptime()))
      } catch {
        return
      }
      for deadline in watchdog.due(at: environment.uptime()) { act(on: deadline) }
    }
    watchdogWakesAt = nil
    watchdogTask = nil
  }

  func act(on deadline: Watchdog.Deadline) {
    switch deadline {
    case .timeout(let callId):
      environment.script?.passed(.timeout, of: callId, in: id)
      runningTools[callId]?.hasTimedOut = true
      stopTool(callId)
    case .abandon(let callId):
      environment.script?.passed(.abandon, of: callId, in: id)
      runningTools[callId]?.race?.end(.abandoned)
    case .timeBudget:
      guard let left = loop.timeLeft(at: environment.now()) else { return }
      if left > .zero { watch(.timeBudget, after: left) } else { requestCancel(by: CancelRequested.timeBudget) }
    }
  }

  func scheduleTimeBudget() {
    if let left = loop.timeLeft(at: environment.now()) { watch(.timeBudget, after: max(.zero, left)) }
  }
}
