import Martlet
import MartletJSON

/// Puts an Anthropic message together from its stream.
///
/// After the accumulation rules of Anthropic's own client: partial JSON is joined for each index and parsed when its block
/// ends, a signature is assigned and not appended, the usage of `message_delta` overwrites that of `message_start`. Unlike
/// it, a stream that ends before `message_stop` is an error.
struct AnthropicStreamDecoder: WireDecoder {
  private let model: String
  private let names: WireNames
  /// Blocks under way, by the index on the wire; some gateways leave gaps.
  private var open: [Int: OpenBlock] = [:]
  private var position = 0
  private var stopReason: String?
  private var usage = AnthropicUsage()
  private var hasStarted = false
  private(set) var isComplete = false

  private struct OpenBlock: Sendable {
    /// Its place among the blocks of the reply.
    var position: Int
    var block: JSONObject
    var type: String
    var text = ""
    var json: [UInt8] = []
  }

  init(model: String, names: WireNames = WireNames()) {
    self.model = model
    self.names = names
  }

  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError) {
    if let delta = Delta.read(event.data) {
      extend(delta, into: &events)
      return
    }
    if event.type == "error" { throw AnthropicErrors().error(inStream: event.data) }
    let data = try Self.parse(event.data)
    guard let type = data["type"]?.stringValue else {
      if data["error"] != nil { throw AnthropicErrors().error(inStream: data) }
      return
    }
    switch type {
    case "content_block_delta": try extend(data, into: &events)
    case "content_block_start": begin(data, into: &events)
    case "content_block_stop":
      if let index = data["index"]?.intValue, let block = open.removeValue(forKey: index) { end(block, into: &events) }
    case "message_start":
      guard !hasStarted else { return }
      hasStarted = true
      usage.update(data["message"]?["usage"])
      if let reason = data["message"]?["stop_reason"]?.stringValue { stopReason = reason }
      // Some servers send whole blocks with the start.
      for (index, block) in (data["message"]?["content"]?.arrayValue ?? []).enumerated() {
        begin(["index": .number(JSONNumber(index)), "content_block": block], into: &events)
        if let open = open.removeValue(forKey: index) { end(open, into: &events) }
      }
    case "message_delta":
      if let reason = data["delta"]?["stop_reason"]?.stringValue { stopReason = reason }
      usage.update(data["usage"])
    case "message_stop":
      guard let stopReason else { throw .truncated("Anthropic") }
      for (_, block) in open.sorted(by: { $0.key < $1.key }) { end(block, into: &events) }
      open = [:]
      events.append(.finished(StopReason(anthropic: stopReason), usage.neutral))
      isComplete = true
    case "error": throw AnthropicErrors().error(inStream: data)
    default: break  // ping, and whatever comes later
    }
  }

  mutating func end(into events: inout [ModelEvent]) throws(ModelError) {
    if !isComplete { throw .truncated("Anthropic") }
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) throws(ModelError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw ModelError(
        code: .invalidResponse, message: "Anthropic's stream holds an event that is no JSON: \(error.message)",
        underlying: error)
    }
  }

  // MARK: - Blocks

  private mutating func begin(_ data: JSONValue, into events: inout [ModelEvent]) {
    guard let index = data["index"]?.intValue, let block = data["content_block"]?.objectValue else { return }
    let type = block["type"]?.stringValue ?? ""
    var started = OpenBlock(position: position, block: block, type: type)
    position += 1
    switch type {
    case "text":
      started.text = block["text"]?.stringValue ?? ""
      if !started.text.isEmpty { events.append(.text(started.text, index: started.position)) }
    case "thinking":
      started.text = block["thinking"]?.stringValue ?? ""
      if !started.text.isEmpty { events.append(.thinking(started.text, index: started.position)) }
    case "tool_use":
      events.append(
        .toolCallDelta(
          ToolCallDelta(
            id: block["id"]?.stringValue, name: block["name"]?.stringValue.map(names.name(forWire:)), arguments: ""),
          index: started.position))
    default: break
    }
    open[index] = started
  }

  private mutating func extend(_ data: JSONValue, into events: inout [ModelEvent]) throws(ModelError) {
    guard let index = data["index"]?.intValue, let delta = data["delta"], let place = open.index(forKey: index) else {
      return
    }
    switch delta["type"]?.stringValue {
    case "signature_delta": open.values[place].block["signature"] = delta["signature"]
    case "citations_delta":
      guard let citation = delta["citation"] else { return }
      let citations = open.values[place].block["citations"]?.arrayValue ?? []
      open.values[place].block["citations"] = .array(citations + [citation])
    case "compaction_delta":
      for (key, value) in delta.objectValue ?? [:] where key != "type" { open.values[place].block[key] = value }
    default: break
    }
  }

  /// Takes a piece of text, thinking or input.
  private mutating func extend(_ delta: Delta, into events: inout [ModelEvent]) {
    guard let place = open.index(forKey: delta.index) else { return }
    let position = open.values[place].position
    switch delta.kind {
    case .text:
      open.values[place].text += delta.text
      events.append(.text(delta.text, index: position))
    case .thinking:
      open.values[place].text += delta.text
      events.append(.thinking(delta.text, index: position))
    case .input:
      open.values[place].json.append(contentsOf: delta.text.utf8)
      if open.values[place].type == "tool_use", !delta.text.isEmpty {
        events.append(.toolCallDelta(ToolCallDelta(arguments: delta.text), index: position))
      }
    }
  }

  private func end(_ open: OpenBlock, into events: inout [ModelEvent]) {
    events.append(.block(block(of: open), index: open.position))
  }

  private func block(of open: OpenBlock) -> ContentBlock {
    switch open.type {
    case "text":
      guard let citations = open.block["citations"]?.arrayValue, !citations.isEmpty else { return .text(open.text) }
      return ContentBlock(.text(open.text), extra: extra(["citations": .array(citations)]))
    case "thinking":
      let signature = open.block["signature"]
      return ContentBlock(
        .thinking(Thinking(text: open.text)), extra: signature.map { extra(["signature": $0], isBound: true) })
    case "redacted_thinking":
      return ContentBlock(
        .thinking(Thinking(text: "", redacted: true)),
        extra: extra(["data": open.block["data"] ?? ""], isBound: true))
    case "tool_use":
      var rest = open.block
      for key in ["type", "id", "name", "input"] { rest.removeValue(forKey: key) }
      let id = open.block["id"]?.stringValue ?? ""
      let name = names.name(forWire: open.block["name"]?.stringValue ?? "")
      let arguments: ToolCall.Arguments =
        if !open.json.isEmpty {
          ToolCall.Arguments(text: String(decoding: open.json, as: UTF8.self))
        } else {
          .object(open.block["input"]?.objectValue ?? [:])
        }
      return ContentBlock(
        .toolCall(ToolCall(id: id, name: name, arguments: arguments)),
        extra: rest.isEmpty ? nil : extra(.object(rest)))
    default:
      var value = open.block
      if !open.json.isEmpty {
        do { value["input"] = try JSONValue(parsing: open.json) } catch {
          // A server tool's input that is cut or broken is kept as its text.
          value["input"] = .string(String(decoding: open.json, as: UTF8.self))
        }
      }
      if !open.text.isEmpty { value["text"] = .string(open.text) }
      return ContentBlock(.opaque(OpaqueBlock(provider: Anthropic.provider, value: .object(value))))
    }
  }

  private func extra(_ value: JSONValue, isBound: Bool = false) -> BlockExtra {
    BlockExtra(provider: Anthropic.provider, model: isBound ? model : nil, value: value)
  }
}

extension AnthropicStreamDecoder {
  /// A piece of a block, picked out of its event without reading the rest: most of what a stream brings.
  private struct Delta {
    enum Kind { case text, thinking, input }
    var index: Int
    var kind: Kind
    var text: String

    /// nil for any other event, and for broken text: the whole is read then, which says what is wrong.
    static func read(_ bytes: ArraySlice<UInt8>) -> Delta? {
      do {
        return try JSONScanner.scan(bytes) { scanner throws(JSONError) in try read(&scanner) }
      } catch {
        return nil
      }
    }

    private static func read(_ scanner: inout JSONScanner) throws(JSONError) -> Delta? {
      var isDelta = false
      var index: Int?
      var kind: Kind?
      var text: String?
      guard try scanner.enterObject() else { return nil }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "type":
          guard let word = try scanner.word(), "content_block_delta" ~= word else { return nil }
          isDelta = true
        case "index": index = try scanner.int()
        case "delta":
          guard try scanner.enterObject() else { return nil }
          while try scanner.nextMember() {
            switch scanner.keyWord {
            case "type":
              guard let found = try scanner.word().flatMap(Self.kind) else { return nil }
              kind = found
            case "text", "thinking", "partial_json":
              guard let found = try scanner.string() else { return nil }
              text = found
            default: try scanner.skip()
            }
          }
        default: try scanner.skip()
        }
      }
      guard isDelta, let index, let kind, let text else { return nil }
      return Delta(index: index, kind: kind, text: text)
    }

    private static func kind(_ type: JSONScanner.Word) -> Kind? {
      switch type {
      case "text_delta": .text
      case "input_json_delta": .input
      case "thinking_delta": .thinking
      default: nil
      }
    }
  }
}

/// Anthropic's counts: what a later event says overwrites, what it leaves out stays.
private struct AnthropicUsage: Sendable {
  private var input = 0
  private var cacheWrite = 0
  private var cacheRead = 0
  private var output = 0
  private var thinking = 0

  mutating func update(_ usage: JSONValue?) {
    guard let usage else { return }
    if let count = usage["input_tokens"]?.intValue { input = count }
    if let count = usage["cache_creation_input_tokens"]?.intValue { cacheWrite = count }
    if let count = usage["cache_read_input_tokens"]?.intValue { cacheRead = count }
    if let count = usage["output_tokens"]?.intValue { output = count }
    if let count = usage["output_tokens_details"]?["thinking_tokens"]?.intValue { thinking = count }
  }

  /// Anthropic's `input_tokens` leaves cached ones out; ours includes them.
  var neutral: Usage {
    Usage(
      input: input + cacheWrite + cacheRead, cachedInput: cacheRead, cacheWrite: cacheWrite, output: output,
      reasoning: thinking)
  }
}

extension StopReason {
  /// Anthropic's words are ours; unknown ones are kept.
  fileprivate init(anthropic word: String) { self.init(rawValue: word) }
}
