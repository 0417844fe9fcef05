import Martlet
import MartletJSON

/// `martlet sessions`: the session log.
enum SessionsCommand {
  static let spec = CommandSpec(
    "sessions", "The stored sessions", subcommands: [list, show, search, export, fork, delete])

  private static let id = ArgumentSpec("ID", "The session, or the beginning of its id")
  private static let limit = Option<Int>("limit", short: "n", "N", .count(from: 1), "At most so many (20)")

  private static func sessions(_ arguments: ParsedArguments, _ context: CommandContext) throws -> StoredSessions {
    StoredSessions(store: try StoreChoice.open(arguments[RunOptions.store], context))
  }

  private static let list = CommandSpec(
    "list", "Lists the sessions, the one changed last first",
    options: [limit.spec, ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let all = try await sessions.all()
    let shown = all.prefix(arguments[limit] ?? 20)
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      for summary in shown {
        var subject = summary.title
        if subject == nil { subject = try await firstPrompt(of: summary.id, sessions) }
        let line = (subject ?? "").split(separator: "\n").first.map { String($0.prefix(60)) } ?? ""
        try context.console.print(
          "\(ControlFilter.line(summary.id))  \(SessionTimeline.minute(summary.updatedAt))  "
            + "\(summary.lastSeq) records  \(ControlFilter.line(line))")
      }
      if shown.count < all.count { context.console.activity("\(all.count - shown.count) more; --limit shows them") }
    case .json: try context.console.print(JSONValue.array(shown.map(json)).text())
    case .jsonl: for summary in shown { try context.console.print(json(summary).text()) }
    }
    return .answered
  }

  private static func json(_ summary: SessionSummary) -> JSONValue {
    [
      "session": .string(summary.id), "title": summary.title.map { .string($0) } ?? .null,
      "created": .string(summary.createdAt.description), "updated": .string(summary.updatedAt.description),
      "records": JSONValue(summary.lastSeq),
    ]
  }

  /// What the user said first: what a session without a title is known by.
  private static func firstPrompt(of id: String, _ sessions: StoredSessions) async throws -> String? {
    let records: [EventRecord]
    do {
      records = try await sessions.store.records(of: id, owner: StoredSessions.owner, after: 0, limit: 12)
    } catch is SessionError {
      // It is listed all the same; `show` says what is wrong with it.
      return nil
    }
    for record in records { if case .prompt(let prompt) = record.event { return prompt.message.saidText } }
    return nil
  }

  private static let show = CommandSpec(
    "show", "Draws a timeline of a session: what was said, every call with start, duration and result",
    arguments: [id], options: [ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let id = try await sessions.id(arguments.positionals[0])
    let timeline = SessionTimeline(try await sessions.records(of: id))
    switch arguments[ListFormat.option] ?? .text {
    case .text: for row in timeline.rows { try context.console.print(ControlFilter.line(row.text)) }
    case .json: try context.console.print(JSONValue.array(timeline.rows.map(\.json)).text())
    case .jsonl: for row in timeline.rows { try context.console.print(row.json.text()) }
    }
    return .answered
  }

  private static let search = CommandSpec(
    "search", "Finds what was said and what came of calls, in all sessions",
    discussion: "A record is found that has all words; each also finds longer words that begin with it.",
    arguments: [ArgumentSpec("WORDS", "What to look for")],
    options: [limit.spec, ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let matches = try await sessions.search(arguments.positionals[0], limit: arguments[limit] ?? 20)
    let values = matches.map { match -> JSONValue in
      [
        "session": .string(match.session), "seq": JSONValue(match.seq), "time": .string(match.time.description),
        "excerpt": .string(match.excerpt),
      ]
    }
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      for match in matches {
        try context.console.print(
          "\(ControlFilter.line(match.session)) \(match.seq)  \(SessionTimeline.minute(match.time))  "
            + ControlFilter.line(match.excerpt))
      }
    case .json: try context.console.print(JSONValue.array(values).text())
    case .jsonl: for value in values { try context.console.print(value.text()) }
    }
    return .answered
  }

  private static let format = Option<ExportFormat>(
    "format", "FORMAT", .choice, "jsonl (the log itself; the default) or markdown")

  private static let export = CommandSpec(
    "export", "Prints a session: its log, or a text to read", arguments: [id],
    options: [format.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let records = try await sessions.records(of: try await sessions.id(arguments.positionals[0]))
    switch arguments[format] ?? .jsonl {
    case .jsonl: for record in records { try context.console.print(record.json.text()) }
    case .markdown: try context.console.write(SessionMarkdown.text(of: records))
    case .html: throw CommandFailure.notYet("--format html")
    }
    return .answered
  }

  private static let at = Option<Int>("at", "N", .count(from: 1), "The last record that is shared (the last of all)")

  private static let fork = CommandSpec(
    "fork", "Begins a session with the past of another one, and prints its id",
    discussion: "Nothing is copied: both share the records up to N and go on by themselves.", arguments: [id],
    options: [at.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let id = try await sessions.id(arguments.positionals[0])
    try context.console.print(try await sessions.fork(id, at: arguments[at]))
    return .answered
  }

  private static let delete = CommandSpec(
    "delete", "Removes a session for good", arguments: [id], options: [RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    try await sessions.delete(try await sessions.id(arguments.positionals[0]))
    return .answered
  }
}

/// How a session is exported.
enum ExportFormat: String, Sendable, CaseIterable {
  case jsonl, markdown, html
}
