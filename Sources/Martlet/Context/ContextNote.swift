import MartletJSON

/// Something that the model is told about the world around the conversation: its notes, the skills there are.
///
/// In the log it is a text block with a mark, so that what the model was told last can be found again, whoever continues
/// the session. No provider sees the mark.
public struct ContextNote: Sendable, Hashable {
  /// What it is about: the name of a `ContextSource`, or a name that the source gives, such as `skill:release-notes`.
  public var name: String
  /// What the model reads.
  public var text: String

  /// A note.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// The note of a block; nil for any other block.
  public init?(_ block: ContentBlock) {
    guard let extra = block.extra, extra.provider == Self.provider, let text = block.text,
      let name = extra.value["context"]?.stringValue
    else { return nil }
    let isSpaced = extra.value["spaced"] == true && text.hasSuffix(Self.space)
    self.init(name: name, text: isSpaced ? String(text.dropLast(Self.space.count)) : text)
  }

  /// The note as a block of instructions or of a tool's output.
  public var block: ContentBlock {
    ContentBlock(.text(text), extra: BlockExtra(provider: Self.provider, value: ["context": .string(name)]))
  }

  /// The note as a block before what the user says, set off from it also where blocks are joined.
  var spacedBlock: ContentBlock {
    let value: JSONValue = ["context": .string(name), "spaced": true]
    return ContentBlock(.text(text + Self.space), extra: BlockExtra(provider: Self.provider, value: value))
  }

  private static let space = "\n\n"
  /// Stands where a provider's name would: no provider has it.
  private static let provider = "martlet"
}

extension Message {
  /// The text without what was added about the world around the conversation (``ContextNote``): what the user said.
  public var saidText: String {
    guard role == .user, content.contains(where: { ContextNote($0) != nil }) else { return text }
    return Message(role: role, content: content.filter { ContextNote($0) == nil }).text
  }
}
