import Martlet
import MartletJSON

/// A request as the turns a chat format knows: tools in the instructions, calls and results as text.
struct Conversation {
  let profile: ModelProfile
  let dialect: CallDialect
  private let request: ModelRequest

  init(_ request: ModelRequest, profile: ModelProfile) {
    self.request = request
    self.profile = profile
    // A dialect that cannot spell a tool's arguments gives way to JSON.
    let names = request.tools.flatMap { ($0.parameters["properties"]?.objectValue ?? [:]).map(\.key) }
    dialect = names.allSatisfy(profile.dialect.canWrite) ? profile.dialect : .json
  }

  /// Why the model speaks next.
  enum Occasion: Sendable, Hashable {
    /// Someone said something.
    case message
    /// Tool results came.
    case results
  }

  var occasion: Occasion { request.messages.last?.role == .tool ? .results : .message }

  /// All that was said in the conversation by the user and by tools since the user spoke last.
  var said: String {
    var texts: [String] = []
    for message in request.messages.reversed() {
      if message.role == .user || message.role == .tool { texts.append(message.text) }
      if message.role == .user { break }
    }
    return texts.reversed().joined(separator: "\n")
  }

  /// What the user said last.
  var lastSaid: String { request.messages.last { $0.role == .user }?.text ?? "" }

  /// The calls since the user spoke last.
  var callsSinceUser: [ToolCall] {
    var calls: [ToolCall] = []
    for message in request.messages.reversed() {
      if message.role == .user { break }
      calls += message.toolCalls
    }
    return calls
  }

  /// The turns of the whole conversation.
  /// - Parameters:
  ///   - closing: said at the end of the last user turn.
  ///   - part: said in the place of what the user said last.
  func turns(closing: String? = nil, saying part: String? = nil) -> [ChatFormat.Turn] {
    var turns = [systemTurn]
    let last = request.messages.lastIndex { $0.role == .user }
    for (index, message) in request.messages.enumerated() {
      switch message.role {
      case .system: turns.append(.init(speaker: .user, text: message.text))
      case .user:
        let text = index == last ? part ?? message.text : message.text
        turns.append(.init(speaker: .user, text: text))
      case .assistant:
        let calls = dialect.text(message.toolCalls)
        let text = [message.text, calls].filter { !$0.isEmpty }.joined(separator: "\n")
        turns.append(.init(speaker: .assistant, text: text))
      case .tool:
        let results = message.toolResults.map(\.text).joined(separator: "\n")
        turns.append(.init(speaker: .user, text: "```output\n\(results)\n```"))
      }
    }
    if let closing { turns.append(.init(speaker: .user, text: closing)) }
    return turns
  }

  /// The same instructions and tools, and a user who has not said what about.
  var blankTurns: [ChatFormat.Turn] { [systemTurn, .init(speaker: .user, text: "Please help me.")] }

  /// The turn that says instructions and tools, and the same without the tools: how far a prompt agrees with either is
  /// how much of it other requests share.
  var stableTurns: [[ChatFormat.Turn]] {
    [[systemTurn], [systemTurn(tools: [])]]
  }

  private var systemTurn: ChatFormat.Turn { systemTurn(tools: request.tools) }

  private func systemTurn(tools: [ToolDefinition]) -> ChatFormat.Turn {
    // System messages at the start are instructions; later ones are said where they stand.
    let text = request.instructions.compactMap(\.text).joined(separator: "\n\n")
    var parts = [text.isEmpty ? profile.system : text]
    if !request.tools.isEmpty { parts.append(dialect.instructions(tools)) }
    return .init(speaker: .system, text: parts.joined(separator: "\n\n"))
  }
}
