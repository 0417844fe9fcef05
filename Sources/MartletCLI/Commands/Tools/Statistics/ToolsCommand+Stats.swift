import Martlet
import MartletJSON

extension ToolsCommand {
  static let stats = CommandSpec(
    "stats", "Calls, failures and durations of each tool over stored sessions",
    discussion:
      "Counts every call with a result in all stored sessions, the slowest tools together first. Failures include calls "
      + "that were denied or never ran; durations are of calls that ran, p50 and p95 within 1%.",
    options: [ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = StoredSessions(store: try StoreChoice.open(arguments[RunOptions.store], context))
    let rows = try await ToolStatistics.gathering(sessions).rows
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      if rows.isEmpty {
        context.console.activity("no tool was called yet")
      } else {
        try context.console.write(TextTable.text([ToolStatistics.Row.titles] + rows.map(\.cells)))
      }
    case .json: try context.console.print(JSONValue.array(rows.map(\.json)).text())
    case .jsonl: for row in rows { try context.console.print(row.json.text()) }
    }
    return .answered
  }
}
