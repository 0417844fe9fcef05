/// What the model was told last under each name, by its instructions, by prompts and by the results of tools: a fold of
/// the log.
public struct ToldContext: Sendable, Hashable {
  private var instructions: [String: String] = [:]
  private var notes: [String: String] = [:]
  private var results: [String: String] = [:]

  /// Nothing was told.
  public init() {}

  /// What the model was told last under a name; nil when it was told nothing.
  public subscript(name: String) -> String? { results[name] ?? notes[name] ?? instructions[name] }

  /// The names under which something was told besides the instructions, in order.
  public var names: [String] { Set(notes.keys).union(results.keys).sorted() }

  /// What a conversation tells under given instructions.
  init(_ context: PromptContext?, _ history: some Sequence<Message>) {
    if let context { take(context) }
    for message in history { take(message) }
  }

  /// What was told since stays in the conversation, and there it comes after the new instructions.
  mutating func take(_ context: PromptContext) {
    instructions = [:]
    for note in context.instructions.compactMap(ContextNote.init) { instructions[note.name] = note.text }
  }

  mutating func take(_ message: Message) {
    switch message.role {
    case .user:
      for block in message.content {
        guard block.extra != nil, let note = ContextNote(block) else { continue }
        if results[note.name] != nil { results[note.name] = note.text } else { notes[note.name] = note.text }
      }
    case .tool:
      for case .toolResult(let result) in message.content.map(\.kind) {
        for block in result.content where block.extra != nil {
          if let note = ContextNote(block) { results[note.name] = note.text }
        }
      }
    case .assistant, .system: break
    }
  }
}
