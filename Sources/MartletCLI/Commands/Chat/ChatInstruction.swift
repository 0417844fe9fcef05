/// What a line that begins with a slash asks of `chat`.
enum ChatInstruction: Sendable, Hashable {
  case help, tools, skills, cost, compact, quit
  /// Shows the model, or changes it.
  case model(String?)
  /// Takes back what was said last.
  case undo
  /// Goes on in a fork, of the session up to a record.
  case fork(String?)
  /// Lists the sessions, or goes on with one.
  case sessions(String?)
  case unknown(String)

  static let names = [
    "help", "model", "tools", "skills", "undo", "fork", "sessions", "cost", "compact", "quit",
  ]

  static let helpText = """
    /model [M]  shows the model, or goes on with another one
    /tools      shows the tools
    /skills     shows the skills, as they are now
    /undo       takes back what was said last, and what came of it
    /fork [N]   goes on in a copy, up to record N; this session stays as it is
    /sessions [ID]  lists the sessions, or goes on with one
    /cost       shows what was used so far, and what fills the model's window
    /compact    replaces what is older than the last turn by notes; the session keeps everything
    /quit       leaves, as Ctrl-D does
    A line that ends with \\ goes on in the next one. Ctrl-C cancels an answer.
    """

  init(_ line: String) {
    let words = line.dropFirst().split(separator: " ", maxSplits: 1)
    let name = words.first.map(String.init) ?? ""
    switch name {
    case "help", "?": self = .help
    case "tools": self = .tools
    case "skills": self = .skills
    case "undo": self = .undo
    case "fork": self = .fork(words.count > 1 ? words[1].trimmingSpaces() : nil)
    case "sessions": self = .sessions(words.count > 1 ? words[1].trimmingSpaces() : nil)
    case "cost": self = .cost
    case "compact": self = .compact
    case "quit", "exit": self = .quit
    case "model": self = .model(words.count > 1 ? words[1].trimmingSpaces() : nil)
    default: self = .unknown(ControlFilter.line(name.prefix(40)))
    }
  }
}
