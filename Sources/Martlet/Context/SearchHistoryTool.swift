import MartletJSON

/// Finds what was left out of the model's view of its own conversation. An agent offers it once something was.
struct SearchHistoryTool: Tool {
  struct Arguments: Decodable, Sendable {
    var query: String?
    var record: Int?
  }

  static let definition = ToolDefinition(
    name: "search_history", title: "Search the conversation",
    description: """
      Searches everything that was said and done in this conversation, also the earlier messages that were replaced by \
      notes or left out. Use it when something from before is missing. Give `query` with a few words to find records, or \
      `record` with the number of one to read all of it.
      """,
    parameters: [
      "type": "object",
      "properties": [
        "query": ["type": "string", "description": "A few words; records with most of them come first"],
        "record": ["type": "integer", "minimum": 1, "description": "The number of a record to read"],
      ],
    ], effect: .readOnly)

  private static let most = 8

  let search: HistorySearch

  var name: String { Self.definition.name }
  var title: String { Self.definition.title }
  var description: String { Self.definition.description }
  var parameters: JSONValue { Self.definition.parameters }
  var effect: ToolEffect { .readOnly }

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    if let record = arguments.record {
      guard let found = try await search.text(ofRecord: record) else {
        return .failure("Record \(record) has no text. Search with `query` to find the numbers of those that have.")
      }
      return .text("[\(record)] \(found.speaker):\n\(found.text)")
    }
    guard let query = arguments.query, query.contains(where: { $0.isLetter || $0.isNumber }) else {
      return .failure("Give `query` with a few words, or `record` with a number.")
    }
    let matches = try await search.matches(of: query, limit: Self.most)
    guard !matches.isEmpty else { return .text("Nothing in this conversation has any of these words.") }
    return .text(matches.map { "[\($0.seq)] \($0.speaker): \($0.excerpt)" }.joined(separator: "\n"))
  }
}
