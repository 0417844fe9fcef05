/// The skills of some directories, as they were when it was made.
///
/// Each directory holds folders with a `SKILL.md` in them; it may also be such a folder itself. Of several skills with one
/// name the first counts. What is wrong is in `problems`; nothing is left out without a word there.
public struct SkillLibrary: Sendable, Hashable {
  /// The skills, by name.
  public private(set) var skills: [Skill] = []
  /// What is wrong with them, with file and line.
  public private(set) var problems: [SkillProblem] = []

  /// Bytes that a `SKILL.md` may have.
  static let fileLimit = 1 << 20

  /// Skills of the app's own.
  public init(_ skills: [Skill] = []) {
    for skill in skills { add(skill, from: "the app's own \(skill.name)") }
    sort()
  }

  /// The skills of a directory.
  /// - Throws: `SkillProblem` when there is no such directory, or it cannot be read. A skill that cannot be used does not
  ///   throw: see `problems`.
  public init(directory: String) throws {
    do {
      try scan(directory)
    } catch {
      throw SkillProblem(.broken, path: directory, line: 1, "the directory cannot be read: \(error)")
    }
    guard StorageFile.kind(directory, followsLinks: true) == .directory else {
      throw SkillProblem(.broken, path: directory, line: 1, "there is no such directory")
    }
    sort()
  }

  /// The skills of several directories, of which not all need be there. Of skills with one name, that of the first
  /// directory counts.
  public init(directories: [String]) {
    for directory in directories {
      do {
        try scan(directory)
      } catch {
        problems.append(SkillProblem(.broken, path: directory, "the directory cannot be read: \(error)"))
      }
    }
    sort()
  }

  /// The skill of a name, exactly as listed.
  public func skill(named name: String) -> Skill? { skills.first { $0.name == name } }

  /// The skills as the model sees them: a line for each, with name and description.
  public var summaries: String { skills.map(\.summary).joined(separator: "\n") }

  // MARK: - Finding

  private var origins: [String: String] = [:]
  private var seenFiles: Set<String> = []

  private mutating func scan(_ directory: String) throws(StorageFile.Failure) {
    if StorageFile.kind(directory + "/SKILL.md", followsLinks: true) != nil {
      read(directory)
      return
    }
    for name in try StorageFile.names(in: directory).sorted() where !name.hasPrefix(".") {
      let folder = directory + "/" + name
      if StorageFile.kind(folder, followsLinks: true) == .directory { read(folder) }
    }
  }

  private mutating func read(_ folder: String) {
    guard let root = StorageFile.canonical(folder) else { return }
    var file = "SKILL.md"
    if StorageFile.kind(folder + "/" + file) == nil {
      guard let other = ["skill.md", "Skill.md"].first(where: { StorageFile.kind(folder + "/" + $0) != nil }) else {
        problems.append(SkillProblem(.advice, path: folder, "there is no SKILL.md in this folder"))
        return
      }
      file = other
      problems.append(SkillProblem(.rule, path: folder + "/" + file, "the file should be named SKILL.md"))
    }
    let path = folder + "/" + file
    // The same folder may be reached by several ways; it is one skill then.
    guard seenFiles.insert(root).inserted else { return }
    let text: String
    do {
      text = try SkillFolder(path: folder).text(of: file, limit: Self.fileLimit)
    } catch {
      problems.append(SkillProblem(.broken, path: path, error.message))
      return
    }
    let name = StorageFile.lastComponent(folder.hasSuffix("/.") ? root : folder)
    let reader = SkillReader(text, folder: name, directory: folder, path: path)
    problems += reader.problems
    if let skill = reader.skill { add(skill, from: path) }
  }

  private mutating func add(_ skill: Skill, from path: String) {
    if let first = origins[skill.name] {
      problems.append(
        SkillProblem(
          .broken, path: path, "there is another skill named \(skill.name): \(first) is used, this one is not"))
      return
    }
    origins[skill.name] = path
    skills.append(skill)
  }

  private mutating func sort() { skills.sort { $0.name < $1.name } }
}
