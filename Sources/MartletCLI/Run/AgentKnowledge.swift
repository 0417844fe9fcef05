import Martlet
import MartletCrypto

/// What an agent is told besides its instructions: the project's `AGENTS.md`, memory and skills.
struct AgentKnowledge: Sendable {
  /// Nil when nothing is remembered.
  let memory: Memory?
  let shelf: SkillShelf
  /// The tools of memory and skills.
  let tools: [any Tool]
  private let places: Places

  /// - Parameter offersSkills: whether there are skills, of a replay that looks at no files; nil to look for them.
  init(_ settings: Settings, _ context: CommandContext, offersSkills: Bool? = nil) async throws(CommandFailure) {
    places = context.places
    memory = try Self.memory(settings.memory, places)
    if let offersSkills {
      shelf = SkillShelf(directories: [])
      tools = (memory?.tools ?? []) + (offersSkills ? [LoadSkillTool(shelf: shelf)] : [])
      return
    }
    let search = try SkillSearch(settings.skills, context)
    for notice in search.notices { context.console.notice(notice) }
    shelf = SkillShelf(directories: search.directories)
    var tools = memory?.tools ?? []
    // Where skills may come while a conversation goes on, the tool must be there from its beginning.
    if search.directories.contains(where: FileAccess.isDirectory) { tools.append(LoadSkillTool(shelf: shelf)) }
    self.tools = tools
  }

  /// The tools of a conversation. A small model of this device takes `recall` and `forget` for what answers any question
  /// (Qwen2.5-Coder 0.5B: "what day is it?" was looked up in the memory), and all notes are in its instructions anyway, so
  /// it has them only where they were asked for: by `--tools`, or by a memory of its own.
  func conversationTools(_ settings: Settings) throws(CommandFailure) -> [any Tool] {
    if case .provider = try ModelReference(settings.model) { return tools }
    guard let memory, settings.tools == nil, settings.memory == .standard else { return tools }
    return memory.keepingTools + tools.dropFirst(memory.tools.count)
  }

  /// What is told to an agent that has these tools: skills only where they can be loaded.
  func sources(with tools: [any Tool]) -> [any ContextSource] {
    var sources: [any ContextSource] = [ProjectInstructionsSource(places: places)]
    if let memory { sources.append(memory) }
    if tools.contains(where: { $0 is LoadSkillTool }) { sources.append(shelf) }
    return sources
  }

  /// Notes about the user in `memory.md` of the data directory; notes about the project beside it and not in the project,
  /// so that they come from nobody else and go to nobody else.
  private static func memory(_ choice: MemoryChoice, _ places: Places) throws(CommandFailure) -> Memory? {
    switch choice {
    case .off: return nil
    case .file(let path):
      let path = places.path(path)
      if FileAccess.isDirectory(path) { throw .usage("--memory takes a file, and \(path.quotedShort) is a directory") }
      return Memory(user: MemoryStore(path: path))
    case .standard:
      guard let data = places.data else { return nil }
      let directory = FileAccess.canonical(places.directory) ?? places.directory
      let name = directory.split(separator: "/").last.map { String($0.prefix(40)) } ?? "root"
      let key = SHA256.hash(Array(directory.utf8)).hex.prefix(12)
      return Memory(
        user: MemoryStore(path: data + "/memory.md"),
        project: MemoryStore(path: "\(data)/memory/\(name)-\(key).md"))
    }
  }
}

/// Where skills are looked for. Of skills with one name the first counts: what users chose themselves comes before what a
/// project brings.
struct SkillSearch {
  private(set) var directories: [String] = []
  private(set) var notices: [String] = []

  init(_ chosen: [String], _ context: CommandContext) throws(CommandFailure) {
    let places = context.places
    for path in chosen {
      let directory = places.path(path)
      guard FileAccess.isDirectory(directory) else {
        throw .usage("there is no directory \(path.quotedShort) for skills")
      }
      directories.append(directory)
    }
    if let own = places.configuration("skills") { directories.append(own) }
    if let home = places.home { directories.append(home + "/.claude/skills") }
    for path in [".martlet/skills", ".claude/skills"] {
      let directory = places.path(path)
      if FileAccess.isStrangers(directory) || FileAccess.isStrangers(places.path(String(path.prefix { $0 != "/" }))) {
        notices.append("\(places.short(directory)) is ignored: somebody else put it into a directory open to everybody")
      } else {
        directories.append(directory)
      }
    }
  }
}
