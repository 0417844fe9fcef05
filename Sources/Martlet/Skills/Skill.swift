/// A page of instructions for one kind of task, read by the model when the task comes up.
///
/// The format is Agent Skills (agentskills.io): a folder with a `SKILL.md`, whose head gives the name and the description
/// and whose body are the instructions; scripts and further texts may lie beside it.
public struct Skill: Sendable, Hashable {
  /// What it is loaded by: lower-case letters, digits and hyphens, at most 64, the same as its folder's.
  public var name: String
  /// What it does and when to use it; all that the model sees before it loads the skill. At most 1,024 characters.
  public var description: String
  /// What the model reads when it loads the skill.
  public var instructions: String
  /// The license, where the author names one.
  public var license: String?
  /// What the skill needs of its surroundings, where the author says so.
  public var compatibility: String?
  /// The tools that the author says the skill uses, as written, such as `Bash(git:*)`. They are told to the model and to
  /// people; they give no permission, since a text must not allow itself anything.
  public var allowedTools: [String]
  /// Further fields of the head's `metadata`.
  public var metadata: [String: String]
  /// The folder, absolute; nil for a skill that comes from no file.
  public var directory: String?

  /// A skill.
  public init(
    name: String, description: String, instructions: String, license: String? = nil, compatibility: String? = nil,
    allowedTools: [String] = [], metadata: [String: String] = [:], directory: String? = nil
  ) {
    self.name = name
    self.description = description
    self.instructions = instructions
    self.license = license
    self.compatibility = compatibility
    self.allowedTools = allowedTools
    self.metadata = metadata
    self.directory = directory
  }

  /// Reads the text of a `SKILL.md`, for skills that are kept elsewhere than in folders.
  /// - Parameter folder: the name of the folder it would be in, which should be the skill's.
  /// - Returns: the skill, nil when it cannot be used, and what is wrong with it.
  public static func read(_ text: String, folder: String) -> (skill: Skill?, problems: [SkillProblem]) {
    let reader = SkillReader(text, folder: folder, directory: nil, path: "\(folder)/SKILL.md")
    return (reader.skill, reader.problems)
  }

  /// Its line in a list for the model: the name and the description, on one line.
  public var summary: String {
    "- \(Self.onOneLine(name)): \(Self.onOneLine(description, limit: Self.descriptionLimit))"
  }

  /// Paths of the files beside `SKILL.md`, relative to the folder, sorted, as they are now: at most a hundred, without
  /// hidden ones and links.
  public var files: [String] { directory.map { SkillFolder(path: $0).files() } ?? [] }

  /// What the model reads when it loads the skill: the instructions and what lies beside them.
  var loadedText: String {
    var parts = [instructions.isEmpty ? "(The skill \(name) has no instructions.)" : instructions]
    if !allowedTools.isEmpty { parts.append("Tools this skill uses: \(allowedTools.joined(separator: ", "))") }
    return parts.joined(separator: "\n\n")
  }

  static let nameLimit = 64
  static let descriptionLimit = 1_024

  static func onOneLine(_ text: String, limit: Int = .max) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > limit ? line.prefix(limit) + "…" : line
  }
}
