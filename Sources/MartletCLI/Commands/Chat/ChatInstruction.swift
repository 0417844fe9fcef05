/// What a line that begins with a slash asks of `chat`.
enum ChatInstruction: Sendable, Hashable {
  case help, tools, skills, cost, compact, quit
  /// Shows the model, or changes it.
  case model(String?)
  case later(String)
  case unknown(String)

  static let names = ["help", "model", "tools", "skills", "cost", "compact", "quit"]
  static let laterNames = ["undo", "fork", "sessions"]

  static let helpText = """
    /model [M]  shows the model, or goes on with another one
    /tools      shows the tools
    /skills     shows the skills, as they are now
    /cost       shows what was used so far, and what fills the model's window
    /compact    replaces what is older than the last turn by notes; the session keeps everything
    /quit       leaves, as Ctrl-D does
    Not available yet: \(laterNames.map { "/" + $0 }.joined(separator: " "))
    A line that ends with \\ goes on in the next one. Ctrl-C cancels an answer.
    """

  init(_ line: String) {
    let words = line.dropFirst().split(separator: " ", maxSplits: 1)
    let name = words.first.map(String.init) ?? ""
    switch name {
    case "help", "?": self = .help
    case "tools": self = .tools
    case "skills": self = .skills
    case "cost": self = .cost
    case "compact": self = .compact
    case "quit", "exit": self = .quit
    case "model": self = .model(words.count > 1 ? words[1].trimmingSpaces() : nil)
    default: self = Self.laterNames.contains(name) ? .later(name) : .unknown(ControlFilter.line(name.prefix(40)))
    }
  }
}
