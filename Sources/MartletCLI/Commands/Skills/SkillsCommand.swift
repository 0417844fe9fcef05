import Martlet
import MartletJSON

/// `martlet skills`: the skills found, and what is wrong with them.
enum SkillsCommand {
  static let spec = CommandSpec(
    "skills", "Lists the skills found, checks them, shows one",
    discussion:
      "Skills are folders with a SKILL.md, in the directories given with --skills or in the configuration, then in "
      + "~/.config/martlet/skills, .martlet/skills, .claude/skills and ~/.claude/skills. Of skills with one name the first "
      + "counts.",
    subcommands: [list, validate, show])

  private static let options = [RunOptions.skills.spec, ListFormat.option.spec, RunOptions.directory.spec]

  private static let list = CommandSpec(
    "list", "Lists the skills with their descriptions", options: options
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let search = try await search(arguments, context)
    let library = SkillLibrary(directories: search.directories)
    for problem in library.problems where problem.severity == .broken {
      context.console.notice("skill not used: \(line(problem, context.places))")
    }
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      for skill in library.skills {
        let place = skill.directory.map { "\n  \(context.places.short($0))" } ?? ""
        try context.console.print(ControlFilter.line(skill.summary.dropFirst(2)) + place)
      }
      if library.skills.isEmpty {
        let places = search.directories.map(context.places.short).joined(separator: ", ")
        context.console.activity("no skills in \(places)")
      }
    case .json: try context.console.print(JSONValue.array(library.skills.map(json)).text())
    case .jsonl: for skill in library.skills { try context.console.print(json(skill).text()) }
    }
    return .answered
  }

  private static let validate = CommandSpec(
    "validate", "Checks skills against the rules of the format; status 1 when one breaks them",
    discussion:
      "Each problem is a line: the file, the line in it, how bad it is (broken: the skill is not used; rule: it is used all "
      + "the same; advice) and what to do.",
    arguments: [
      ArgumentSpec(
        "PATH", isRequired: false, completion: .directory,
        "A skill's folder, its SKILL.md or a directory of skills; all skills found if left out")
    ],
    options: options
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let directories: [String]
    if let path = arguments.positionals.first {
      directories = [try directory(path, context.places)]
    } else {
      directories = try await search(arguments, context).directories
    }
    let library = SkillLibrary(directories: directories)
    switch arguments[ListFormat.option] ?? .text {
    case .text:
      for problem in library.problems {
        try context.console.print(
          "\(ControlFilter.line(context.places.short(problem.path))):\(problem.line): \(problem.severity.word): "
            + ControlFilter.line(problem.message))
      }
    case .json: try context.console.print(JSONValue.array(library.problems.map(json)).text())
    case .jsonl: for problem in library.problems { try context.console.print(json(problem).text()) }
    }
    let isSound = !library.problems.contains { $0.severity > .advice }
    context.console.activity("\(library.skills.count) skills can be used, \(library.problems.count) problems")
    if library.skills.isEmpty, library.problems.isEmpty, arguments.positionals.first != nil {
      context.console.problem(
        "there is no skill in \(arguments.positionals[0].quotedShort): a skill is a folder with a SKILL.md")
      return .failed
    }
    return isSound ? .answered : .failed
  }

  private static let show = CommandSpec(
    "show", "Shows a skill: its head, its instructions, its files",
    arguments: [ArgumentSpec("NAME", "The skill; `martlet skills list` shows them")], options: options
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let library = SkillLibrary(directories: try await search(arguments, context).directories)
    let name = arguments.positionals[0]
    guard let skill = library.skill(named: name) else {
      if let problem = library.problems.first(where: { $0.severity == .broken && $0.path.contains("/\(name)/") }) {
        throw CommandFailure.failed("the skill \(name.quotedShort) cannot be used: \(line(problem, context.places))")
      }
      let near = NearestName.of(name, among: library.skills.map(\.name))
      throw CommandFailure.usage(
        "there is no skill \(name.quotedShort); "
          + (near.map { "did you mean \($0)?" } ?? "`martlet skills list` shows what there is"))
    }
    if (arguments[ListFormat.option] ?? .text) == .text {
      var filter = ControlFilter()
      let text = page(skill, context.places)
      try context.console.print(context.console.isOutputTerminal ? filter.filter(text) : text)
    } else {
      var object = json(skill)
      object["instructions"] = .string(skill.instructions)
      object["files"] = .array(skill.files.map { .string($0) })
      try context.console.print(object.text())
    }
    return .answered
  }

  // MARK: Finding

  private static func search(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> SkillSearch {
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
    let search = try SkillSearch(try reader.list(SettingKeys.skills), context)
    for notice in search.notices { context.console.notice(notice) }
    return search
  }

  private static func directory(_ path: String, _ places: Places) throws(CommandFailure) -> String {
    var directory = places.path(path)
    if !FileAccess.isDirectory(directory), FileAccess.exists(directory), let slash = directory.lastIndex(of: "/") {
      directory = String(directory[..<slash])
    }
    while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
    guard FileAccess.isDirectory(directory) else { throw .usage("there is no directory or file \(path.quotedShort)") }
    return directory
  }

  // MARK: Showing

  private static func line(_ problem: SkillProblem, _ places: Places) -> String {
    ControlFilter.line("\(places.short(problem.path)):\(problem.line): \(problem.message)")
  }

  private static func page(_ skill: Skill, _ places: Places) -> String {
    var lines = ["name: \(skill.name)", "description: \(skill.description)"]
    if let license = skill.license { lines.append("license: \(license)") }
    if let needs = skill.compatibility { lines.append("compatibility: \(needs)") }
    if !skill.allowedTools.isEmpty { lines.append("allowed-tools: \(skill.allowedTools.joined(separator: " "))") }
    for (key, value) in skill.metadata.sorted(by: { $0.key < $1.key }) { lines.append("\(key): \(value)") }
    if let directory = skill.directory { lines.append("directory: \(places.short(directory))") }
    for file in skill.files { lines.append("  \(file)") }
    return lines.joined(separator: "\n") + "\n\n" + skill.instructions
  }

  private static func json(_ skill: Skill) -> JSONValue {
    [
      "name": .string(skill.name), "description": .string(skill.description),
      "directory": skill.directory.map { .string($0) } ?? .null,
      "license": skill.license.map { .string($0) } ?? .null,
      "compatibility": skill.compatibility.map { .string($0) } ?? .null,
      "allowed_tools": .array(skill.allowedTools.map { .string($0) }),
      "metadata": .object(
        JSONObject(skill.metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) })),
    ]
  }

  private static func json(_ problem: SkillProblem) -> JSONValue {
    [
      "path": .string(problem.path), "line": JSONValue(problem.line), "severity": .string(problem.severity.word),
      "message": .string(problem.message),
    ]
  }
}

extension SkillProblem.Severity {
  fileprivate var word: String {
    switch self {
    case .advice: "advice"
    case .rule: "rule"
    case .broken: "broken"
    }
  }
}
