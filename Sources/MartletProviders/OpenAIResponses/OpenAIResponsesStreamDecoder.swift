import Martlet
import MartletJSON

/// Puts a reply together from the events of the Responses API.
///
/// Deltas are previews; blocks are made of the final response, which can differ from what came before (it encrypts reasoning
/// anew, some gateways change ids on the way). Where it holds no output, as some services leave it, and where a stream breaks
/// off, they are made of the items that were done. Items are told apart by their `output_index`. Events that repeat
/// a sequence number are skipped as far as they are deltas: all others say the same when they come twice. A gap in the
/// numbers harms nothing as long as the final response is whole.
struct OpenAIResponsesStreamDecoder: WireDecoder {
  private static let errors = OpenAIErrors()
  private let model: String
  private let names: WireNames
  /// Items under way and done, by `output_index`.
  private var items: [Int: OpenItem] = [:]
  /// Blocks that have a position.
  private var positions = 0
  private var lastIndex = 0
  private var sequence = SequenceNumbers()
  private(set) var isComplete = false

  private struct OpenItem: Sendable {
    /// As announced, and as it ended.
    var announced: JSONObject
    var done: JSONObject?
    var parts: [Part] = []
  }

  /// What streams on its own: a text of a message, a part of a summary, arguments.
  private struct Part: Sendable {
    var index: Int
    var kind: Kind
    /// The block it belongs to.
    var position: Int
    var text: [UInt8] = []
  }

  private enum Kind: Sendable { case text, refusal, summary, reasoning, arguments, input }

  init(model: String, names: WireNames = WireNames()) {
    self.model = model
    self.names = names
  }

  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError) {
    switch Delta.read(event.data) {
    case .delta(let delta):
      if sequence.isRepeat(delta.sequence) { return }
      extend(delta, into: &events)
    case .ignored: return
    case nil:
      // Some gateways end their streams as Chat Completions end.
      if event.data.elementsEqual("[DONE]".utf8) { return }
      if event.type == "error" {
        flush(into: &events)
        throw Self.errors.error(inStream: event.data)
      }
      try takeWhole(try Self.parse(event.data), into: &events)
    }
  }

  mutating func end(into events: inout [ModelEvent]) throws(ModelError) {
    if isComplete { return }
    flush(into: &events)
    throw .truncated("OpenAI")
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) throws(ModelError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw ModelError(
        code: .invalidResponse, message: "OpenAI's stream holds an event that is no JSON: \(error.message)",
        underlying: error)
    }
  }

  // MARK: - Events

  private mutating func takeWhole(_ data: JSONValue, into events: inout [ModelEvent]) throws(ModelError) {
    _ = sequence.isRepeat(data["sequence_number"]?.intValue)
    switch data["type"]?.stringValue {
    case "response.output_item.added":
      guard let item = data["item"]?.objectValue else { return }
      begin(item, at: data["output_index"]?.intValue ?? (items.keys.max() ?? -1) &+ 1, into: &events)
    case "response.output_item.done":
      guard let item = data["item"]?.objectValue else { return }
      lastIndex = data["output_index"]?.intValue ?? lastIndex
      items[lastIndex, default: OpenItem(announced: item)].done = item
    case "response.output_text.done": settle(data, .text, data["text"])
    case "response.refusal.done": settle(data, .refusal, data["refusal"])
    case "response.reasoning_summary_text.done": settle(data, .summary, data["text"])
    case "response.reasoning_text.done": settle(data, .reasoning, data["text"])
    case "response.function_call_arguments.done": settle(data, .arguments, data["arguments"])
    case "response.custom_tool_call_input.done": settle(data, .input, data["input"])
    case "response.completed", "response.incomplete":
      try finish(data["response"] ?? [:], into: &events)
    case "response.failed":
      flush(into: &events)
      throw Self.errors.error(inStream: data["response"]?["error"] ?? .null)
    case "error":
      flush(into: &events)
      throw Self.errors.error(inStream: data)
    case nil:
      guard let error = data["error"], !error.isNull else { return }
      flush(into: &events)
      throw Self.errors.error(inStream: data)
    default: break  // created, queued, in progress, progress of built-in tools, and whatever comes later
    }
  }

  private mutating func begin(_ item: JSONObject, at index: Int, into events: inout [ModelEvent]) {
    lastIndex = index
    guard items[index] == nil else { return }
    items[index] = OpenItem(announced: item)
    switch item["type"]?.stringValue {
    case "function_call":
      let position = place(of: 0, .arguments, in: index)
      let delta = ToolCallDelta(
        id: item["call_id"]?.stringValue, name: item["name"]?.stringValue.map(names.name(forWire:)), arguments: "")
      events.append(.toolCallDelta(delta, index: position))
    case "custom_tool_call":
      let position = place(of: 0, .input, in: index)
      let delta = ToolCallDelta(
        id: item["call_id"]?.stringValue, name: item["name"]?.stringValue.map(names.name(forWire:)),
        arguments: #"{"input":""#)
      events.append(.toolCallDelta(delta, index: position))
    case "message": break  // its parts become blocks
    default: _ = place(of: 0, .summary, in: index)
    }
  }

  private mutating func extend(_ delta: Delta, into events: inout [ModelEvent]) {
    let index = delta.outputIndex ?? lastIndex
    lastIndex = index
    let position = place(of: delta.part, delta.kind, in: index, appending: delta.text)
    switch delta.kind {
    case .text, .refusal: events.append(.text(delta.text, index: position.block))
    case .summary, .reasoning:
      // Parts of a summary are paragraphs.
      events.append(.thinking(position.isNext ? "\n\n" + delta.text : delta.text, index: position.block))
    case .arguments: events.append(.toolCallDelta(ToolCallDelta(arguments: delta.text), index: position.block))
    case .input:
      let escaped = JSONValue.string(delta.text).text().dropFirst().dropLast()
      events.append(.toolCallDelta(ToolCallDelta(arguments: String(escaped)), index: position.block))
    }
  }

  /// What a part's own end says counts more than its deltas.
  private mutating func settle(_ data: JSONValue, _ kind: Kind, _ text: JSONValue?) {
    guard let text = text?.stringValue, let index = data["output_index"]?.intValue,
      let part = items[index]?.parts.firstIndex(where: { $0.kind == kind && $0.index == Delta.part(of: data) })
    else { return }
    items[index]?.parts[part].text = Array(text.utf8)
  }

  /// The blocks of the items that are done: what stands of a reply that failed.
  private mutating func flush(into events: inout [ModelEvent]) {
    let answered = OpenAIClientTools.answered(in: items.values.lazy.compactMap(\.done))
    for index in items.keys.sorted() {
      guard let item = items[index]?.done else { continue }
      let blocks = OpenAIItem.blocks(of: item, model: model, names: names, answered: answered)
      for (number, block) in blocks.enumerated() {
        events.append(.block(block, index: position(ofBlock: number, in: index, item: item)))
      }
    }
  }

  // MARK: - Positions

  /// The block of an item's part; a message's parts are blocks of their own, an item's of any other type are one.
  private mutating func place(of part: Int, _ kind: Kind, in index: Int) -> Int {
    place(of: part, kind, in: index, appending: nil).block
  }

  private mutating func place(
    of part: Int, _ kind: Kind, in index: Int, appending text: String?
  ) -> (block: Int, isNext: Bool) {
    if items[index] == nil { items[index] = OpenItem(announced: Self.unannounced(kind)) }
    guard let slot = items.index(forKey: index) else { return (0, false) }
    let isText = kind == .text || kind == .refusal
    if let known = items.values[slot].parts.firstIndex(where: { $0.index == part && $0.kind == kind }) {
      if let text { items.values[slot].parts[known].text.append(contentsOf: text.utf8) }
      return (items.values[slot].parts[known].position, false)
    }
    var position = positions
    var isNext = false
    if let known = items.values[slot].parts.first(where: { !isText || $0.index == part }) {
      position = known.position
      isNext = items.values[slot].parts.contains { !$0.text.isEmpty }
    } else {
      positions += 1
    }
    items.values[slot].parts.append(Part(index: part, kind: kind, position: position, text: Array((text ?? "").utf8)))
    return (position, isNext)
  }

  private mutating func position(ofBlock number: Int, in index: Int, item: JSONObject) -> Int {
    let isMessage = item["type"] == "message"
    let kind: Kind = isMessage ? .text : .summary
    if let known = items[index]?.parts.first(where: { !isMessage || $0.index == number }) { return known.position }
    return place(of: number, kind, in: index)
  }

  /// For servers that begin with deltas.
  private static func unannounced(_ kind: Kind) -> JSONObject {
    switch kind {
    case .text, .refusal: ["type": "message", "role": "assistant"]
    case .summary, .reasoning: ["type": "reasoning"]
    case .arguments: ["type": "function_call"]
    case .input: ["type": "custom_tool_call"]
    }
  }

  // MARK: - End

  private mutating func finish(_ response: JSONValue, into events: inout [ModelEvent]) throws(ModelError) {
    var output = (response["output"]?.arrayValue ?? []).compactMap(\.objectValue)
    if output.count < items.count {
      // Some services leave the output out of the final response.
      guard !sequence.hasGap else {
        throw ModelError(
          code: .truncatedStream, message: "OpenAI's stream lost events, and its end does not make up for them")
      }
      output = items.sorted { $0.key < $1.key }.map { $0.value.done ?? Self.assembled($0.value) }
    }
    let answered = OpenAIClientTools.answered(in: output)
    let blocks = output.flatMap { OpenAIItem.blocks(of: $0, model: model, names: names, answered: answered) }
    for (position, block) in blocks.enumerated() { events.append(.block(block, index: position)) }
    for type in Self.unanswered(output, answered) {
      events.append(
        .warning(
          code: "unanswered_call",
          message: "the model asked for a `\(type)` of OpenAI's own, which nothing here answers: it goes on without"))
    }
    let reason = Self.stopReason(response, output, answered)
    events.append(.finished(reason, Self.usage(response["usage"])))
    isComplete = true
  }

  /// An item that never ended, from what came of it.
  private static func assembled(_ open: OpenItem) -> JSONObject {
    var item = open.announced
    func texts(_ kind: Kind, _ type: JSONValue, _ key: String) -> [JSONValue] {
      open.parts.filter { $0.kind == kind && !$0.text.isEmpty }.sorted { $0.index < $1.index }.map {
        .object(["type": type, key: .string(String(decoding: $0.text, as: UTF8.self))])
      }
    }
    switch item["type"]?.stringValue {
    case "message":
      item["content"] = .array(texts(.text, "output_text", "text") + texts(.refusal, "refusal", "refusal"))
    case "reasoning":
      item["summary"] = .array(texts(.summary, "summary_text", "text"))
      let content = texts(.reasoning, "reasoning_text", "text")
      if !content.isEmpty { item["content"] = .array(content) }
    case "function_call":
      if let text = open.parts.first(where: { $0.kind == .arguments && !$0.text.isEmpty })?.text {
        item["arguments"] = .string(String(decoding: text, as: UTF8.self))
      }
    case "custom_tool_call":
      if let text = open.parts.first(where: { $0.kind == .input && !$0.text.isEmpty })?.text {
        item["input"] = .string(String(decoding: text, as: UTF8.self))
      }
    default: break
    }
    return item
  }

  /// Calls of built-in tools that a client must answer and that this one cannot.
  private static func unanswered(_ output: [JSONObject], _ answered: Set<String>) -> [String] {
    output.compactMap { item in
      guard let type = item["type"]?.stringValue else { return nil }
      if type == "mcp_approval_request" { return type }
      guard OpenAIClientTools.unanswerable[type] != nil else { return nil }
      return answered.contains(item["call_id"]?.stringValue ?? "") ? nil : type
    }
  }

  private static func stopReason(
    _ response: JSONValue, _ output: [JSONObject], _ answered: Set<String>
  ) -> StopReason {
    if response["status"]?.stringValue == "incomplete" {
      switch response["incomplete_details"]?["reason"]?.stringValue {
      case "max_output_tokens", nil: return .maxTokens
      case "content_filter": return .contentFilter
      case .some(let word): return StopReason(rawValue: word)
      }
    }
    if output.contains(where: isRefusal) { return .refusal }
    let calls: [JSONValue?] = ["function_call", "custom_tool_call"]
    let asks = output.contains {
      calls.contains($0["type"]) || OpenAIClientTools.isCall($0, answered: answered)
    }
    return asks ? .toolUse : .endTurn
  }

  private static func isRefusal(_ item: JSONObject) -> Bool {
    item["type"] == "message" && (item["content"]?.arrayValue ?? []).contains { $0["type"] == "refusal" }
  }

  /// OpenAI's counts include the cached and the reasoning tokens, as ours do.
  private static func usage(_ usage: JSONValue?) -> Usage {
    Usage(
      input: usage?["input_tokens"]?.intValue ?? 0,
      cachedInput: usage?["input_tokens_details"]?["cached_tokens"]?.intValue ?? 0,
      cacheWrite: usage?["input_tokens_details"]?["cache_write_tokens"]?.intValue ?? 0,
      output: usage?["output_tokens"]?.intValue ?? 0,
      reasoning: usage?["output_tokens_details"]?["reasoning_tokens"]?.intValue ?? 0)
  }

  // MARK: - Deltas

  /// A piece of a part, picked out of its event without reading the rest.
  private struct Delta {
    var kind: Kind
    var text: String
    var outputIndex: Int?
    var part: Int
    var sequence: Int?

    enum Reading {
      case delta(Delta)
      /// Progress that nothing here shows.
      case ignored
    }

    /// nil for an event of another type, and for broken text: the whole is to be read then.
    static func read(_ bytes: ArraySlice<UInt8>) -> Reading? {
      do {
        return try JSONScanner.scan(bytes) { scanner throws(JSONError) in try read(&scanner) }
      } catch {
        return nil
      }
    }

    private static func read(_ scanner: inout JSONScanner) throws(JSONError) -> Reading? {
      var kind: Kind?
      var isDelta = false
      var text: String?
      var part: Int?
      var delta = Delta(kind: .text, text: "", part: 0)
      guard try scanner.enterObject() else { return nil }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "type":
          guard let word = try scanner.word(), word.hasSuffix(".delta") else { return nil }
          kind = Self.kind(word)
          isDelta = true
        case "delta":
          // Some deltas of built-in tools are objects.
          guard let found = try scanner.string() else { return nil }
          text = found
        case "output_index": delta.outputIndex = try scanner.int()
        case "content_index", "summary_index": part = try scanner.int()
        case "sequence_number": delta.sequence = try scanner.int()
        default: try scanner.skip()
        }
      }
      guard isDelta else { return nil }
      guard let kind else { return .ignored }
      guard let text else { return nil }
      delta.kind = kind
      delta.text = text
      delta.part = part ?? 0
      return .delta(delta)
    }

    static func part(of event: JSONValue) -> Int {
      event["content_index"]?.intValue ?? event["summary_index"]?.intValue ?? 0
    }

    private static func kind(_ type: JSONScanner.Word) -> Kind? {
      switch type {
      case "response.output_text.delta": .text
      case "response.function_call_arguments.delta": .arguments
      case "response.reasoning_summary_text.delta": .summary
      case "response.reasoning_text.delta": .reasoning
      case "response.refusal.delta": .refusal
      case "response.custom_tool_call_input.delta": .input
      default: nil
      }
    }
  }
}

/// The numbers of a stream's events: which repeat, and whether some are missing. Streams without numbers, or with numbers
/// that do not grow from the first on, have neither.
private struct SequenceNumbers: Sendable {
  private var last: Int?
  private var grows: Bool?
  private(set) var hasGap = false

  mutating func isRepeat(_ number: Int?) -> Bool {
    guard let number, grows != false else { return false }
    guard let last else {
      self.last = number
      return false
    }
    if number <= last {
      if grows == nil { grows = false }
      return grows == true
    }
    grows = true
    if number > last + 1 { hasGap = true }
    self.last = number
    return false
  }
}
