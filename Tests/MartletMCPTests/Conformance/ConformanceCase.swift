import Testing

@testable import MartletMCP

/// A scenario of the official suite on one wire.
struct ConformanceCase: Sendable, Hashable, CustomTestStringConvertible {
  enum Side: String, Sendable { case server, client }

  let side: Side
  let name: String
  let revision: MCPRevision
  /// The set of required scenarios that it counts for on this wire; nil for one that is not scored.
  let set: String?
  let checks: [String]

  var testDescription: String { "\(name) (\(revision))" }

  static let server = cases(.server, ConformanceTable.server)
  static let client = cases(.client, ConformanceTable.client)

  private static func cases(_ side: Side, _ table: String) -> [ConformanceCase] {
    table.split(separator: "\n").flatMap { line -> [ConformanceCase] in
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map { column in
        column.split(separator: " ").map(String.init)
      }
      let checks = columns[3].isEmpty ? [columns[0][0]] : columns[3]
      return columns[1].compactMap(MCPRevision.init(rawValue:)).map { revision in
        // A set is of the revision that ends its year.
        let set: String? =
          switch revision {
          case .november2025 where columns[2].contains("2025"): "2025-11-25"
          case .july2026 where columns[2].contains("2026"): "2026-07-28"
          default: nil
          }
        return ConformanceCase(side: side, name: columns[0][0], revision: revision, set: set, checks: checks)
      }
    }
  }
}
