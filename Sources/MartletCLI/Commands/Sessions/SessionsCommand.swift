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
    options: [tree.spec, limit.spec, ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let all = try await sessions.all()
    let format = arguments[ListFormat.option] ?? .text
    let limit = arguments[limit] ?? 20
    let count: Int
    if arguments.has(tree) {
      let trees = SessionTree(all).trees
      count = trees.count
      let lines = trees.prefix(limit).flatMap { $0 }
      switch format {
      case .text:
        for drawn in lines {
          try context.console.print(drawn.branch + (try await line(drawn.summary, sessions, isInTree: true)))
        }
      case .json: try context.console.print(JSONValue.array(lines.map(json)).text())
      case .jsonl: for line in lines { try context.console.print(json(line).text()) }
      }
    } else {
      count = all.count
      let shown = all.prefix(limit)
      switch format {
      case .text: for summary in shown { try context.console.print(try await line(summary, sessions)) }
      case .json: try context.console.print(JSONValue.array(shown.map { .object(json($0)) }).text())
      case .jsonl: for summary in shown { try context.console.print(JSONValue.object(json(summary)).text()) }
      }
    }
    if format == .text, limit < count { context.console.activity("\(count - limit) more; --limit shows them") }
    return .answered
  }

  private static let tree = Option<Bool>(
    flag: "tree", "Forks and subagents below the session that they come from; --limit counts trees")

  /// A session on one line.
  static func line(
    _ summary: SessionSummary, _ sessions: StoredSessions, isInTree: Bool = false
  ) async throws -> String {
    var subject = summary.title
    if subject == nil { subject = try await firstPrompt(of: summary.id, sessions) }
    let line = (subject ?? "").split(separator: "\n").first.map { String($0.prefix(60)) } ?? ""
    var origin = ""
    if isInTree, let parent = summary.parent { origin = "subagent of \(parent.callId)  " }
    if isInTree, let fork = summary.forkedFrom { origin = "fork at \(fork.seq)  " }
    return
      "\(ControlFilter.line(summary.id))  \(SessionTimeline.minute(summary.updatedAt))  "
      + "\(summary.lastSeq) records  \(ControlFilter.line(origin + line))"
  }

  private static func json(_ line: SessionTree.Line) -> JSONValue {
    var object = json(line.summary)
    object["depth"] = JSONValue(line.depth)
    return .object(object)
  }

  private static func json(_ summary: SessionSummary) -> JSONObject {
    [
      "session": .string(summary.id), "title": summary.title.map { .string($0) } ?? .null,
      "created": .string(summary.createdAt.description), "updated": .string(summary.updatedAt.description),
      "records": JSONValue(summary.lastSeq), "forked_from": summary.forkedFrom?.json ?? .null,
      "parent": summary.parent?.json ?? .null,
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
    discussion: "Each line begins with the number of its record, which `fork --at` takes.",
    arguments: [id], options: [ListFormat.option.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let id = try await sessions.id(arguments.positionals[0])
    let timeline = SessionTimeline(try await sessions.records(of: id))
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      let isPlain = !context.console.isOutputTerminal || context.console.isPlain
      for row in timeline.rows {
        let line = ControlFilter.line(row.text)
        try context.console.print(row.emphasis.flatMap { isPlain ? nil : "\u{1B}[\($0)m\(line)\u{1B}[0m" } ?? line)
      }
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
    let words = arguments.positionals[0]
    guard !SearchText.Query(words).phrases.isEmpty else {
      throw CommandFailure.usage("\(words.quotedShort) has no word to look for: words are made of letters and digits")
    }
    let sessions = try sessions(arguments, context)
    let matches = try await sessions.search(words, limit: arguments[limit] ?? 20)
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
    "format", "FORMAT", .choice,
    "jsonl (the log itself; the default), markdown or html (one file that needs nothing else)")

  private static let export = CommandSpec(
    "export", "Prints a session: its log, or a text to read", arguments: [id],
    options: [format.spec, RunOptions.store.spec]
  ) { arguments, context in
    let sessions = try sessions(arguments, context)
    let id = try await sessions.id(arguments.positionals[0])
    switch arguments[format] ?? .jsonl {
    case .jsonl: try await sessions.eachRecord(of: id) { try context.console.print($0.json.text()) }
    case .markdown: try context.console.write(SessionMarkdown.text(of: try await sessions.records(of: id)))
    case .html:
      var overview = SessionOverview()
      try await sessions.eachRecord(of: id) { overview.take($0) }
      overview.shorten()
      var page = SessionHTML(id: id, overview: overview)
      try context.console.write(page.head)
      try await sessions.eachRecord(of: id) { try context.console.write(page.piece($0)) }
      try context.console.write(page.tail())
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
