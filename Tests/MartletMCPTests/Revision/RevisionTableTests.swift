import Foundation
import Testing

@testable import MartletMCP

@Suite struct RevisionTableTests {
  @Test func `only the table of facts knows one revision from another`() throws {
    let package = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let sources = try #require(FileManager.default.enumerator(atPath: package + "/Sources/MartletMCP"))
    let names = ["november2024", "march2025", "june2025", "november2025", "july2026"].map { ".\($0)" }
    let comparisons = ["era ==", "era !=", "revision ==", "revision !=", "revision <", "revision >"]
    var count = 0
    for case let path as String in sources where path.hasSuffix(".swift") && !path.hasPrefix("Revision/") {
      let content = try #require(FileManager.default.contents(atPath: "\(package)/Sources/MartletMCP/\(path)"))
      for line in String(decoding: content, as: UTF8.self).split(separator: "\n") where !line.contains("//") {
        for text in names + comparisons where line.contains(text) { Issue.record("\(path): \(line)") }
        // Dates of revisions, as text.
        for revision in MCPRevision.allCases where line.contains(revision.rawValue) { Issue.record("\(path): \(line)") }
      }
      count += 1
    }
    #expect(count > 50)
  }

  @Test func `an older revision has no more than a newer one of its era`() {
    let legacy = MCPRevision.allCases.sorted().filter { $0.facts.hasHandshake }
    #expect(legacy.last == .latestLegacy)
    for (older, newer) in zip(legacy, legacy.dropFirst()) {
      #expect(older.facts.contentKinds.isSubset(of: newer.facts.contentKinds))
      #expect(older.facts.elicitationModes.isSubset(of: newer.facts.elicitationModes))
    }
  }
}
