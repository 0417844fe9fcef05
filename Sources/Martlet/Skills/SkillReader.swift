import MartletJSON

/// Makes a skill of the text of a `SKILL.md` and tells which rules of the format it breaks.
struct SkillReader {
  /// Nil when the text makes no skill.
  private(set) var skill: Skill?
  private(set) var problems: [SkillProblem] = []

  /// Lines of instructions up to which a skill should be kept, as the format's authors advise.
  static let adviceOfLines = 500
  private static let compatibilityLimit = 500

  /// - Parameters:
  ///   - folder: the name of the skill's folder.
  ///   - directory: the folder's path.
  ///   - path: the file, for messages.
  init(_ text: String, folder: String, directory: String?, path: String) {
    let head: SkillFrontMatter
    do {
      head = try SkillFrontMatter(text, path: path)
    } catch {
      problems.append(error)
      return
    }
    problems = head.problems
    func complain(_ severity: SkillProblem.Severity, _ key: String, _ message: String) {
      problems.append(SkillProblem(severity, path: path, line: head.line(of: key), message))
    }

    let description = (head.text("description") ?? "").trimmingBlanks()
    guard !description.isEmpty else {
      complain(
        .broken, "description",
        head.fields["description"] == nil
          ? "description is missing: say what the skill does and when to use it"
          : "description takes a text: say what the skill does and when to use it")
      return
    }
    if description.count > Skill.descriptionLimit {
      complain(
        .rule, "description",
        "description has \(description.count) characters, and \(Skill.descriptionLimit) are allowed: the model sees no more"
      )
    }
    // On one line: a name is listed for the model, among lines that are not the skill's to write.
    var name = Skill.onOneLine(head.text("name") ?? "")
    if name.isEmpty {
      complain(.rule, "name", "name is missing: the folder's name, \(folder), is used")
      name = Skill.onOneLine(folder)
    } else {
      if let fault = Self.fault(ofName: name) { complain(.rule, "name", fault) }
      if name != folder {
        complain(.rule, "name", "the name \(Self.quoted(name)) is not that of the folder, \(Self.quoted(folder))")
      }
    }
    let compatibility = head.text("compatibility")
    if let compatibility, compatibility.count > Self.compatibilityLimit {
      complain(.rule, "compatibility", "compatibility has more than \(Self.compatibilityLimit) characters")
    }
    var metadata: [String: String] = [:]
    if let value = head.fields["metadata"] {
      if let fields = value.objectValue {
        for (key, value) in fields { metadata[key] = value.stringValue ?? value.text() }
      } else if value != "" {
        complain(.rule, "metadata", "metadata takes keys and values")
      }
    }
    if head.body.isEmpty {
      problems.append(SkillProblem(.advice, path: path, "there are no instructions after the front matter"))
    }
    if head.bodyLineCount > Self.adviceOfLines {
      problems.append(
        SkillProblem(
          .advice, path: path,
          "the instructions have \(head.bodyLineCount) lines: keep to \(Self.adviceOfLines) and put the rest into files "
            + "beside it"))
    }
    skill = Skill(
      name: name, description: description, instructions: head.body, license: head.text("license"),
      compatibility: compatibility, allowedTools: Self.tools(head.fields["allowed-tools"]), metadata: metadata,
      directory: directory)
  }

  /// The rule of the format that a name breaks.
  static func fault(ofName name: String) -> String? {
    let isMadeRight = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    if !isMadeRight { return "the name \(quoted(name)) may have lower-case letters, digits and hyphens only" }
    if name.hasPrefix("-") || name.hasSuffix("-") || name.contains("--") {
      return "the name \(quoted(name)) may have hyphens only between letters and digits, one at a time"
    }
    if name.count > Skill.nameLimit {
      return "the name has \(name.count) characters, and \(Skill.nameLimit) are allowed"
    }
    return nil
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.prefix(80).map { $0.isNewline ? " " : $0 } + "\""
  }

  /// A list, or names with spaces or commas between them; what stands in parentheses belongs together.
  private static func tools(_ value: JSONValue?) -> [String] {
    if let items = value?.arrayValue { return items.map { $0.stringValue ?? $0.text() }.filter { !$0.isEmpty } }
    var tools: [String] = []
    var depth = 0
    var current = ""
    for character in value?.stringValue ?? "" {
      switch character {
      case "(": depth += 1
      case ")": depth = max(0, depth - 1)
      default: break
      }
      if depth == 0, character == "," || character.isWhitespace {
        if !current.isEmpty { tools.append(current) }
        current = ""
      } else {
        current.append(character)
      }
    }
    return current.isEmpty ? tools : tools + [current]
  }
}
