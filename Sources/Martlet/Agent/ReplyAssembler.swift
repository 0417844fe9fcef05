import MartletJSON

/// Puts a reply together from a model's events: previews become events with offsets, complete blocks become content.
struct ReplyAssembler: Sendable {
  let messageId: String
  private(set) var blocks: [Int: ContentBlock] = [:]
  private(set) var stopReason: StopReason?
  private(set) var usage = Usage()
  private(set) var requestId: String?
  private(set) var rateLimits: [RateLimit] = []
  private(set) var metrics: Metrics?
  /// Whether anything of the reply's content has come.
  private(set) var hasContent = false
  private var previews: [Int: Preview] = [:]

  private struct Preview: Sendable {
    enum Kind { case text, thinking, call }
    var kind: Kind
    var text = ""
    var length = 0
    var callId: String?
    var name: String?
  }

  init(messageId: String) { self.messageId = messageId }

  /// Takes an event; returns what observers should see of it.
  mutating func take(_ event: ModelEvent) -> AgentEvent? {
    switch event {
    case .text(let delta, let index):
      let offset = extend(index, .text, delta)
      return .text(Delta(messageId: messageId, block: index, offset: offset, delta: delta))
    case .thinking(let delta, let index):
      let offset = extend(index, .thinking, delta)
      return .thinking(Delta(messageId: messageId, block: index, offset: offset, delta: delta))
    case .toolCallDelta(let delta, let index):
      let offset = extend(index, .call, delta.arguments)
      if let id = delta.id { previews[index]?.callId = id }
      if let name = delta.name { previews[index]?.name = name }
      return .toolCallDelta(
        CallDelta(
          messageId: messageId, block: index, offset: offset, delta: delta.arguments, callId: previews[index]?.callId,
          name: previews[index]?.name))
    case .block(let block, let index):
      hasContent = true
      blocks[index] = block
      previews[index] = nil
      return nil
    case .metrics(let metrics):
      self.metrics = metrics
      return .metrics(metrics)
    case .warning(let code, let message): return .warning(Warning(code: code, message: message))
    case .requestId(let id):
      requestId = id
      return nil
    case .rateLimits(let limits):
      rateLimits = limits
      return nil
    case .finished(let reason, let usage):
      stopReason = reason
      self.usage = usage
      return nil
    }
  }

  private mutating func extend(_ index: Int, _ kind: Preview.Kind, _ delta: String) -> Int {
    hasContent = true
    var preview = previews.removeValue(forKey: index) ?? Preview(kind: kind)
    let offset = preview.length
    preview.text += delta
    preview.length += delta.utf8.count
    previews[index] = preview
    return offset
  }

  /// The complete blocks in order. Ids that are empty or were used before in the session are replaced and the original
  /// kept in the block's extra.
  func content(provider: String, isUsed: (String) -> Bool, makeCallId: () -> String) -> [ContentBlock] {
    var ownIds: Set<String> = []
    return blocks.sorted { $0.key < $1.key }.map { _, block in
      guard case .toolCall(var call) = block.kind else { return block }
      var block = block
      if call.id.isEmpty || isUsed(call.id) || ownIds.contains(call.id) {
        let original = call.id
        repeat { call.id = makeCallId() } while isUsed(call.id) || ownIds.contains(call.id)
        block.kind = .toolCall(call)
        if !original.isEmpty, block.extra == nil {
          block.extra = BlockExtra(provider: provider, value: ["call_id": .string(original)])
        }
      }
      ownIds.insert(call.id)
      return block
    }
  }

  /// What an observer should be shown of the reply so far.
  var partialBlocks: [ContentBlock] {
    var shown = blocks
    for (index, preview) in previews {
      switch preview.kind {
      case .text: shown[index] = .text(preview.text)
      case .thinking: shown[index] = .thinking(Thinking(text: preview.text))
      case .call:
        shown[index] = .toolCall(
          ToolCall(
            id: preview.callId ?? "", name: preview.name ?? "",
            arguments: .unparsed(text: preview.text, reason: "not complete yet")))
      }
    }
    return shown.sorted { $0.key < $1.key }.map(\.value)
  }

  /// About how many tokens have come: a quarter of the bytes.
  var approximateTokens: Int { partialBlocks.reduce(0) { $0 + ($1.text?.utf8.count ?? 32) } / 4 }

  /// What may stand of a reply that was cut off (invariant I1): its text; signed thinking and opaque blocks that are
  /// complete. Calls go, since none was run, and so does thinking whose signature has not come.
  var interruptedContent: [ContentBlock] {
    var kept = blocks.filter { _, block in
      switch block.kind {
      case .text(let text): text.contains { !$0.isWhitespace }
      case .thinking: block.extra != nil
      case .opaque, .media: true
      case .toolCall, .toolResult, .unknown: false
      }
    }
    for (index, preview) in previews where preview.kind == .text && preview.text.contains(where: { !$0.isWhitespace }) {
      kept[index] = .text(preview.text)
    }
    // Thinking and opaque blocks belong to what followed them; without text they say nothing.
    guard kept.values.contains(where: { $0.text != nil }) else { return [] }
    return kept.sorted { $0.key < $1.key }.map(\.value)
  }
}
