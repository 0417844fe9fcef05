/// What the next request has in it, in tokens.
public struct ContextUsage: Sendable, Hashable {
  /// What the model is told before the conversation, without memory.
  public var instructions = 0
  /// The tools and their schemas, without the one that lists skills.
  public var tools = 0
  /// The list of skills, and the tool `load_skill`.
  public var skills = 0
  /// What is known about the user from earlier sessions.
  public var memory = 0
  /// The conversation.
  public var history = 0
  /// Tokens that are kept free for the reply.
  public var reserved = 0
  /// Tokens that the model's window holds; nil when not known.
  public var window: Int?
  /// Whether the sum comes from bytes and the replies so far, and not from the model's own count. How it is divided up is
  /// by bytes in either case.
  public var isEstimated = true

  /// All of the request.
  public var used: Int { instructions + tools + skills + memory + history }
  /// What is left of the window for the reply and for more; nil when the window is not known.
  public var free: Int? { window.map { max(0, $0 - used) } }

  /// Divides the tokens of a request up.
  init(_ context: PromptContext?, historyBytes: Int, total: Int) {
    var memoryBytes = 0
    var skillBytes = 0
    var instructionBytes = 0
    for block in context?.instructions ?? [] {
      switch ContextNote(block)?.name {
      case Memory.sourceName?: memoryBytes += block.approximateBytes
      case SkillShelf.sourceName?: skillBytes += block.approximateBytes
      default: instructionBytes += block.approximateBytes
      }
    }
    var toolBytes = 0
    for tool in context?.tools ?? [] {
      if tool.name == LoadSkillTool.name {
        skillBytes += tool.approximateBytes
      } else {
        toolBytes += tool.approximateBytes
      }
    }
    let sum = memoryBytes + instructionBytes + skillBytes + toolBytes + historyBytes
    func share(_ bytes: Int) -> Int { sum == 0 ? 0 : Int(Double(total) * Double(bytes) / Double(sum)) }
    instructions = share(instructionBytes)
    memory = share(memoryBytes)
    tools = share(toolBytes)
    skills = share(skillBytes)
    // The rest, so that the sum is exact; what rounding leaves goes where the most is.
    let rest = total - instructions - memory - tools - skills
    if historyBytes > 0 { history = rest } else { instructions += rest }
  }
}
