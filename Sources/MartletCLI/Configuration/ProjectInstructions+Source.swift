import Martlet

/// The `AGENTS.md` files as a source of instructions: read when an epoch starts, told anew when they change.
struct ProjectInstructionsSource: ContextSource {
  let places: Places

  let name = "AGENTS.md"

  func read() async -> ContextReading {
    let project = ProjectInstructions(of: places)
    return ContextReading(text: project.text, warnings: Self.warnings(project))
  }

  func news(since told: ToldContext) async -> ContextNews {
    let project = ProjectInstructions(of: places)
    var news = ContextNews(warnings: Self.warnings(project))
    let text = project.text ?? "There are none any more."
    let announcement = "The instructions in AGENTS.md have changed. From now on these hold:\n\n\(text)"
    if told[name] != project.text, told[name] != announcement {
      news.notes = [ContextNote(name: name, text: announcement)]
    }
    return news
  }

  private static func warnings(_ project: ProjectInstructions) -> [Warning] {
    project.notices.map { Warning(code: "instructions", message: $0) }
  }
}
