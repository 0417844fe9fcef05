import MartletSync
import Testing

@testable import MartletMCP

/// How many scenarios and checks pass, for each leg: a side on a wire.
final class ConformanceReport: Sendable {
  static let shared = ConformanceReport()

  private struct Outcome: Sendable {
    let item: ConformanceCase
    let isProgram: Bool
    let states: [String: Verdicts.State]
    let hasFailed: Bool
  }

  private let outcomes = Locked<[Outcome]>([])

  func add(_ item: ConformanceCase, isProgram: Bool, _ states: [String: Verdicts.State], hasFailed: Bool) {
    outcomes.withLock {
      $0.append(Outcome(item: item, isProgram: isProgram, states: states, hasFailed: hasFailed))
    }
  }

  /// One line for each leg, then what is not covered and what failed. A scenario passes if all of its checks do; one of
  /// which nothing could be exercised is not counted as passed.
  func text(isProgram: Bool) -> String {
    let outcomes = outcomes.withLock { $0 }.filter { $0.isProgram == isProgram }.sorted {
      ($0.item.side.rawValue, $0.item.revision, $0.item.name) < ($1.item.side.rawValue, $1.item.revision, $1.item.name)
    }
    var lines: [String] = []
    for side in [ConformanceCase.Side.server, .client] {
      for revision in MCPRevision.allCases {
        let leg = outcomes.filter { $0.item.side == side && $0.item.revision == revision }
        guard !leg.isEmpty else { continue }
        let states = leg.flatMap(\.states.values)
        var line =
          "\(side.rawValue)\(isProgram ? " program" : "") \(revision): scenarios \(Self.passed(leg))/\(leg.count)"
        line += ", checks \(states.count { $0 == .passed })/\(states.count)"
        let scored = leg.filter { $0.item.set != nil }
        if !scored.isEmpty { line += "; required: scenarios \(Self.passed(scored))/\(scored.count)" }
        lines.append(line)
      }
    }
    for outcome in outcomes {
      for id in outcome.item.checks {
        switch outcome.states[id] {
        case .passed: break
        case .notCovered(let reason): lines.append("not covered: \(outcome.item.testDescription): \(id): \(reason)")
        case .failed(let reason): lines.append("failed: \(outcome.item.testDescription): \(id): \(reason)")
        case nil: lines.append("failed: \(outcome.item.testDescription): \(id)")
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func passed(_ leg: [Outcome]) -> Int {
    leg.count { outcome in !outcome.hasFailed && outcome.item.checks.allSatisfy { outcome.states[$0] == .passed } }
  }
}

/// Prints the report when the suite is over.
struct PrintsConformance: SuiteTrait, TestScoping {
  /// Whether it is about the programs.
  let isProgram: Bool
  var isRecursive: Bool { false }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    print(
      "Conformance with the scenarios of the official suite:\n\(ConformanceReport.shared.text(isProgram: isProgram))")
  }
}
