public import MartletJSON

/// `load_skill`: gives the model the instructions of a skill, and the texts that lie beside them.
public struct LoadSkillTool: Tool {
  /// Which skill, and what of it.
  public struct Arguments: Decodable, Sendable {
    /// The skill's name, exactly as listed.
    public var name: String
    /// A file beside the instructions; nil for the instructions themselves.
    public var path: String?
  }

  static let name = "load_skill"

  private enum Origin: Sendable {
    case library(SkillLibrary)
    case shelf(SkillShelf)
  }

  private let origin: Origin

  /// A tool for skills that stay as they are. Its description lists them.
  public init(library: SkillLibrary) { origin = .library(library) }

  /// A tool for skills that may change. They are listed in the instructions: the shelf must be one of the agent's sources.
  public init(shelf: SkillShelf) { origin = .shelf(shelf) }

  public var name: String { Self.name }
  public var title: String { "Load skill" }
  public var effect: ToolEffect { .readOnly }
  public var isInstant: Bool { true }

  public var description: String {
    let use = "Load the full instructions for a skill before starting a task it covers."
    switch origin {
    case .library(let library):
      return library.skills.isEmpty ? use + " There are no skills." : use + " Available skills:\n\(library.summaries)"
    case .shelf: return use + " The skills are listed in your instructions."
    }
  }

  public var parameters: JSONValue {
    [
      "type": "object",
      "properties": [
        "name": ["type": "string", "description": "The skill's name, exactly as listed"],
        "path": [
          "type": "string",
          "description": "A file of the skill to read, relative to its folder; leave it out for the instructions",
        ],
      ],
      "required": ["name"], "additionalProperties": false,
    ]
  }

  public func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let library =
      switch origin {
      case .library(let library): library
      case .shelf(let shelf): await shelf.library()
      }
    guard let skill = library.skill(named: arguments.name) else {
      let names = library.skills.map(\.name).joined(separator: ", ")
      return .failure(
        "No skill named \(arguments.name). The skills are: \(names.isEmpty ? "none" : names).", code: "unknown_skill")
    }
    guard let path = arguments.path, !path.isEmpty, path != ".", path != "SKILL.md" else {
      return instructions(of: skill)
    }
    guard let directory = skill.directory else {
      return .failure("The skill \(skill.name) has no files.", code: ToolResult.Code.toolFailed.rawValue)
    }
    do {
      return .text(try SkillFolder(path: directory).text(of: path))
    } catch {
      let files = skill.files.joined(separator: ", ")
      return .failure(
        "Not read: \(error.message). The files of \(skill.name) are: \(files.isEmpty ? "none" : files).",
        code: "no_such_file")
    }
  }

  private func instructions(of skill: Skill) -> ToolOutput {
    var content = [ContextNote(name: Self.note(of: skill), text: skill.loadedText).block]
    let files = skill.files
    if let directory = skill.directory, !files.isEmpty {
      content.append(
        .text(
          "\n\nFiles of this skill, in \(directory); read one with \(Self.name) and its path:\n"
            + files.map { "- \($0)" }.joined(separator: "\n")))
    }
    return ToolOutput(content: content)
  }

  /// Under which name it is noted that the model has loaded a skill.
  static func note(of skill: Skill) -> String { notePrefix + skill.name }

  /// The name of the skill whose instructions a note has; nil for another note.
  static func skill(ofNote name: String) -> String? {
    name.hasPrefix(notePrefix) ? String(name.dropFirst(notePrefix.count)) : nil
  }

  private static let notePrefix = "skill:"
}
