import Martlet
import MartletJSON

/// Shows a run while it goes and when it is over.
protocol RunRenderer: Sendable {
  mutating func show(_ record: EventRecord) throws(CommandFailure)
  mutating func finish(_ report: RunReport) throws(CommandFailure)
}

/// Every event as it comes, one JSON object a line.
struct EventLinesRenderer: RunRenderer {
  let console: Console

  func show(_ record: EventRecord) throws(CommandFailure) { try console.print(record.json.text()) }
  func finish(_ report: RunReport) throws(CommandFailure) {}
}

/// One object at the end.
struct ObjectRenderer: RunRenderer {
  let console: Console

  func show(_ record: EventRecord) throws(CommandFailure) {}
  func finish(_ report: RunReport) throws(CommandFailure) { try console.print(report.json.text()) }
}
