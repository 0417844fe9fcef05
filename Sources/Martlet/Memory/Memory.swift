/// What an agent knows from earlier conversations: notes about the user and, if you like, notes about the project.
///
/// The last of three tiers: the conversation itself, the summary that compaction makes of its older part, and these
/// notes. Give it to the agent as a source and register its tools:
/// ```swift
/// let memory = Memory(user: MemoryStore(path: path))
/// configuration.sources.append(memory)
/// for tool in memory.tools { try await registry.register(tool) }
/// ```
/// The notes are read once, when a session begins, and stand in its instructions; what is remembered later the model
/// knows from the result of the tool, so the beginning of the prompt stays the same. They are read again only where
/// a new epoch starts anyway.
public struct Memory: ContextSource {
  /// What is known about the user.
  public var user: MemoryStore
  /// What is known about the project; nil for no such notes.
  public var project: MemoryStore?

  /// A memory.
  public init(user: MemoryStore, project: MemoryStore? = nil) {
    self.user = user
    self.project = project
  }

  public var name: String { Self.sourceName }

  static let sourceName = "memory"

  /// The tools `remember`, `recall` and `forget`.
  public var tools: [any Tool] { [RememberTool(memory: self), RecallTool(memory: self), ForgetTool(memory: self)] }

  /// `remember` alone, for models that few tools confuse less: what is known stands in their instructions.
  public var keepingTools: [any Tool] { [RememberTool(memory: self)] }

  /// Whom a note is about.
  public enum Scope: String, Sendable, Codable, CaseIterable {
    /// The user: known in every session.
    case user
    /// The project: known where its directory is worked in.
    case project
  }

  var scopes: [Scope] { project == nil ? [.user] : [.user, .project] }

  func store(_ scope: Scope?) -> MemoryStore { scope == .project ? project ?? user : user }

  public func read() async -> ContextReading {
    var reading = ContextReading()
    var parts: [String] = []
    for scope in scopes {
      do {
        let notes = try store(scope).notes()
        if !notes.isEmpty {
          parts.append("What you know about this \(scope.rawValue):\n\(clipped(notes, store(scope).limit))")
        }
      } catch {
        reading.warnings.append(Warning(code: "memory", message: error.message))
      }
    }
    reading.text = parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    return reading
  }

  /// What the user wrote beyond the limit is left to `recall`.
  private func clipped(_ notes: String, _ limit: Int) -> String {
    guard notes.utf8.count > limit else { return notes }
    let head = notes.utf8.prefix(limit)
    let end = head.lastIndex(of: 0x0A) ?? head.startIndex
    return notes[..<end] + "\n[More notes are left out here; recall finds them.]"
  }
}
