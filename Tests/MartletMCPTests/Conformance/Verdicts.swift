import MartletSync
import Testing

/// What a scenario found, by the ids of the suite's checks.
final class Verdicts: Sendable {
  enum State: Sendable, Hashable {
    case passed
    case failed(String)
    /// Why it could not be exercised.
    case notCovered(String)
  }

  let item: ConformanceCase
  /// Whether the fixture is a program of its own, as it is for the suite.
  let isProgram: Bool
  private let states = Locked<[String: State]>([:])

  init(_ item: ConformanceCase, isProgram: Bool = false) {
    self.item = item
    self.isProgram = isProgram
  }

  /// Notes a check. One that fails once has failed.
  func check(_ id: String, _ isRight: Bool, _ detail: @autoclosure () -> String = "") {
    let state = isRight ? State.passed : .failed(detail())
    states.withLock { states in
      if case .failed = states[id] { return }
      states[id] = state
    }
  }

  /// Notes that a check could not be exercised.
  func skip(_ id: String, _ reason: String) { states.withLock { $0[id] = .notCovered(reason) } }

  /// Hands everything to the report, and to the test what is wrong: a check that failed, one that was forgotten, one that
  /// the suite does not have.
  func settle(_ error: (any Error)? = nil) {
    if let error { Issue.record("\(item.testDescription): \(error)") }
    var states = states.withLock { $0 }
    for id in states.keys.filter({ !item.checks.contains($0) }) { Issue.record("the suite has no check \(id)") }
    for id in item.checks {
      switch states[id] {
      case .passed, .notCovered: break
      case .failed(let detail): Issue.record("\(item.testDescription): \(id) failed: \(detail)")
      case nil:
        states[id] = .failed("was not reached")
        Issue.record("\(item.testDescription): \(id) was not reached")
      }
    }
    ConformanceReport.shared.add(
      item, isProgram: isProgram, states.filter { item.checks.contains($0.key) }, hasFailed: error != nil)
  }
}
