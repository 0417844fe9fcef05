/// Where a part of the instructions comes from that may change while a session lives: memory, skills.
///
/// It is read when an epoch starts, that is before the first prompt and whenever the instructions, the tools or the model
/// change anyway; what it gave then stays as it is for the epoch, also in forks and when another process continues the
/// session (invariant I2). What has changed since is told with the next prompt.
public protocol ContextSource: Sendable {
  /// Marks its part in the log. One for each source of an agent.
  var name: String { get }
  /// What belongs into the instructions, read anew. Never throws: what cannot be read becomes a warning.
  func read() async -> ContextReading
  /// What to tell the model with its next prompt, given what it was told last, by the instructions or since. Nothing by
  /// default.
  func news(since told: ToldContext) async -> ContextNews
}

extension ContextSource {
  public func news(since told: ToldContext) async -> ContextNews { ContextNews() }
}

/// What a source has for the instructions.
public struct ContextReading: Sendable, Hashable {
  /// The text; nil when there is nothing to say.
  public var text: String?
  /// What should be known of it, such as files that cannot be read. Each is recorded once in an agent's life.
  public var warnings: [Warning]

  /// A reading.
  public init(text: String? = nil, warnings: [Warning] = []) {
    self.text = text
    self.warnings = warnings
  }
}

/// What has changed at a source.
public struct ContextNews: Sendable, Hashable {
  /// What the model must be told, said at the start of the next prompt.
  public var notes: [ContextNote]
  /// What should be known of it. Each is recorded once in an agent's life.
  public var warnings: [Warning]

  /// News; none by default.
  public init(notes: [ContextNote] = [], warnings: [Warning] = []) {
    self.notes = notes
    self.warnings = warnings
  }
}
