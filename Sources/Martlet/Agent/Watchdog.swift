/// The deadlines of a run, so that one sleeping task can watch over all of them: a timer for each of many short calls
/// would outlive them all.
struct Watchdog: Sendable {
  enum Deadline: Sendable, Hashable {
    /// A tool call has taken too long.
    case timeout(callId: String)
    /// A tool call has not stopped in time.
    case abandon(callId: String)
    /// The run has used its time.
    case timeBudget
  }

  private var deadlines: [Deadline: Duration] = [:]

  /// The earliest deadline.
  var next: Duration? { deadlines.values.min() }

  /// Sets a deadline; an earlier one of the same kind stays.
  mutating func set(_ deadline: Deadline, at moment: Duration) {
    if let old = deadlines[deadline], old <= moment { return }
    deadlines[deadline] = moment
  }

  mutating func remove(_ deadline: Deadline) { deadlines[deadline] = nil }

  /// Takes out what is due.
  mutating func due(at now: Duration) -> [Deadline] {
    let due = deadlines.filter { $0.value <= now }.map(\.key)
    for deadline in due { deadlines[deadline] = nil }
    return due
  }
}
