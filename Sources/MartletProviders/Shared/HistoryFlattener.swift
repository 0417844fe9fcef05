import Martlet

/// One message of a conversation in which every message has one speaker and every result a message of its own.
enum FlatTurn: Sendable {
  case system(String)
  /// Text and media, at least one.
  case user([ContentBlock])
  case assistant(FlatReply)
  case result(FlatResult)
}

/// A reply: text, refusal or calls, at least one of them; thinking.
struct FlatReply: Sendable {
  /// Text blocks with words in them.
  var texts: [ContentBlock] = []
  var thinking: [ContentBlock] = []
  /// Calls with their blocks' extras; ids differ within a reply.
  var calls: [(call: ToolCall, extra: BlockExtra?)] = []

  /// The text blocks as one.
  var text: String { texts.compactMap(\.text).joined(separator: "\n\n") }
}

/// The result of a call, as text.
struct FlatResult: Sendable {
  var call: ToolCall
  var text: String
}

/// Turns neutral messages into flat ones, message by message, for the providers whose results are messages of their own.
///
/// It is total: whatever the messages are, each call is followed by its one result, in call order, before anyone else
/// speaks; nothing is empty. Results without a call become the user's text, and media in results follow in a user message,
/// since results there are text only.
struct HistoryFlattener: Sendable {
  /// Which media can be sent; what cannot is named in a text instead.
  private let media: MediaRules
  /// Calls that have no result yet.
  private var open: [ToolCall] = []
  /// What the user's voice has to say once all calls have results.
  private var held: [ContentBlock] = []

  init(media: MediaRules) { self.media = media }

  /// What a message is.
  mutating func take(_ message: Message) -> [FlatTurn] {
    var turns = results(message.toolResults)
    switch message.role {
    case .tool:
      held += sayable(message.content)
      if open.isEmpty { settle(into: &turns) }
    case .user:
      settle(into: &turns)
      let content = sayable(message.content)
      if !content.isEmpty { turns.append(.user(content)) }
    case .system:
      settle(into: &turns)
      let text = sayable(message.content).compactMap(\.text).joined(separator: "\n\n")
      if !text.isEmpty { turns.append(.system(text)) }
    case .assistant:
      settle(into: &turns)
      if let reply = reply(message) {
        turns.append(.assistant(reply))
        open = reply.calls.map(\.call)
      }
    }
    return turns
  }

  /// What a request that ends here still needs.
  var closing: [FlatTurn] {
    var rest = self
    var turns: [FlatTurn] = []
    rest.settle(into: &turns)
    return turns
  }

  /// Gives calls without a result one, and says what was held back.
  private mutating func settle(into turns: inout [FlatTurn]) {
    turns += open.map { .result(FlatResult(call: $0, text: "(no result: the call was interrupted)")) }
    open = []
    if !held.isEmpty { turns.append(.user(held)) }
    held = []
  }

  private mutating func results(_ results: [ToolResult]) -> [FlatTurn] {
    guard !results.isEmpty else { return [] }
    var found: [String: ToolResult] = [:]
    for result in results where found[result.callId] == nil { found[result.callId] = result }
    var turns: [FlatTurn] = []
    for call in open {
      guard let result = found.removeValue(forKey: call.id) else { continue }
      turns.append(.result(FlatResult(call: call, text: text(of: result))))
    }
    let answered = Set(results.map(\.callId))
    open.removeAll { answered.contains($0.id) }
    for result in results where found.removeValue(forKey: result.callId) != nil {
      held.append(.text("[A result of \(result.name), without its call: \(text(of: result))]"))
    }
    return turns
  }

  /// A result as text; its media are held back for the user message after the results.
  private mutating func text(of result: ToolResult) -> String {
    var parts: [String] = []
    var media: [ContentBlock] = []
    for block in sayable(result.content) {
      if let text = block.text { parts.append(text) } else { media.append(block) }
    }
    if !media.isEmpty {
      parts.append("(Media of this result follow in the next message of the user.)")
      held.append(.text("[Media of the result of \(result.name):]"))
      held += media
    }
    let text = parts.isEmpty ? "(no output)" : parts.joined(separator: "\n")
    return result.isError && !text.hasPrefix("Error") ? "Error: \(text)" : text
  }

  private func reply(_ message: Message) -> FlatReply? {
    var reply = FlatReply()
    var ids: Set<String> = []
    for block in message.content {
      switch block.kind {
      case .text(let text): if Self.hasWords(text) { reply.texts.append(block) }
      case .thinking: reply.thinking.append(block)
      case .toolCall(let call): if ids.insert(call.id).inserted { reply.calls.append((call, block.extra)) }
      case .media(let media):
        reply.texts.append(.text("[\(media.kind.rawValue) \(media.name ?? media.mimeType), made by the model]"))
      case .toolResult, .opaque, .unknown: break
      }
    }
    return reply.texts.isEmpty && reply.calls.isEmpty ? nil : reply
  }

  /// Text with words and media; media that cannot be sent as text.
  private func sayable(_ content: [ContentBlock]) -> [ContentBlock] {
    content.compactMap { block in
      switch block.kind {
      case .text(let text): Self.hasWords(text) ? .text(text) : nil
      case .media(let media): self.media.block(of: media)
      default: nil
      }
    }
  }

  private static func hasWords(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }
}
