/// The skills of some directories, as they are now: changed files are noticed when they are asked for.
///
/// Give it to an agent as a source and register a ``LoadSkillTool`` with it. The names and descriptions are read when an
/// epoch starts and stand in the instructions; when skills come, go or change after that, the model is told with the
/// user's next prompt, and of a skill that it has loaded already it gets the new instructions. Only text is ever loaded.
public actor SkillShelf: ContextSource {
  /// Where skills are looked for; of skills with one name, that of the first directory counts.
  public nonisolated let directories: [String]
  private var current = SkillLibrary()
  private var seen: [SkillTrace]?

  /// A shelf. Nothing is read before it is used.
  public init(directories: [String]) { self.directories = directories }

  /// The skills as they are now. Reads the files again only when something about them has changed.
  public func library() -> SkillLibrary {
    let traces = SkillTrace.all(in: directories)
    if traces != seen {
      current = SkillLibrary(directories: directories)
      seen = traces
    }
    return current
  }

  // MARK: - As a source

  public nonisolated let name = sourceName

  static let sourceName = "skills"

  public func read() -> ContextReading {
    let library = library()
    return ContextReading(text: Self.instructions(library), warnings: Self.warnings(library))
  }

  public func news(since told: ToldContext) -> ContextNews {
    let library = library()
    var news = ContextNews(warnings: Self.warnings(library))
    let now = Self.instructions(library)
    let announcement = "The skills have changed. \(now ?? "There are none any more.")"
    if let last = told[name], last != now, last != announcement {
      news.notes.append(ContextNote(name: name, text: announcement))
    } else if told[name] == nil, now != nil {
      news.notes.append(ContextNote(name: name, text: announcement))
    }
    for key in told.names {
      guard let last = told[key], let skill = library.skills.first(where: { LoadSkillTool.note(of: $0) == key }) else {
        continue
      }
      let text = "The skill \(skill.name) was changed. It now says:\n\n\(skill.loadedText)"
      if last != skill.loadedText, last != text { news.notes.append(ContextNote(name: key, text: text)) }
    }
    return news
  }

  private static func instructions(_ library: SkillLibrary) -> String? {
    guard !library.skills.isEmpty else { return nil }
    return
      "Skills are instructions for particular kinds of tasks. Before you start a task that one covers, load it with "
      + "\(LoadSkillTool.name). Available skills:\n\(library.summaries)"
  }

  private static func warnings(_ library: SkillLibrary) -> [Warning] {
    library.problems.filter { $0.severity == .broken }.map { Warning(code: "skill", message: "skill not used: \($0)") }
  }
}

/// What can be told of a skill's file without reading it.
struct SkillTrace: Sendable, Hashable {
  var path: String
  var file: StorageFile.Trace

  /// Of all files that make up the skills of some directories.
  static func all(in directories: [String]) -> [Self] {
    var traces: [Self] = []
    func add(_ path: String) {
      if let trace = StorageFile.trace(path) { traces.append(Self(path: path, file: trace)) }
    }
    for directory in directories {
      add(directory + "/SKILL.md")
      // One that cannot be listed is reported by the library.
      for name in ((try? StorageFile.names(in: directory)) ?? []).sorted() where !name.hasPrefix(".") {
        for file in ["SKILL.md", "skill.md", "Skill.md"] { add("\(directory)/\(name)/\(file)") }
      }
    }
    return traces
  }
}
