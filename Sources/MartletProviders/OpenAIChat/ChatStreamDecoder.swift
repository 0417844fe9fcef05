import Martlet
import MartletJSON

/// Puts a reply together from a Chat Completions stream, of OpenAI or of anyone who speaks the protocol.
///
/// All known forms are read from every server: reasoning in `reasoning_content`, `reasoning`, `reasoning_details` or parts
/// of the content; calls as `ChatCalls` tells them apart; usage with any chunk, in a choice, or in `x_groq`. The reply is
/// complete with `[DONE]`, or when the connection ends after a finish reason; without a finish reason it is an error,
/// except that complete calls before `[DONE]` need none.
struct ChatStreamDecoder: WireDecoder {
  private let vendor: String
  private let model: String
  private let errors: OpenAIErrors
  /// The tools' names on the wire.
  private let names: WireNames
  private var choice: Int?
  private var finishReason: String?
  private var usage = ChatUsage()
  private var calls = ChatCalls()
  private var positions = 0
  private var current: Open?
  /// A thinking block that waits for details which may still come.
  private var thought: Open?
  private var details = ReasoningDetails()
  private var thinkingField: String?
  private var sources = JSONObject()
  private var annotations: [JSONValue] = []
  private var isRefusal = false
  private(set) var isComplete = false

  /// A block of text under way.
  private struct Open: Sendable {
    enum Kind { case text, thinking, refusal }
    var kind: Kind
    var position: Int
    var text: String
  }

  init(vendor: ChatVendor, model: String, names: WireNames) {
    self.vendor = vendor.name
    self.model = model
    self.names = names
    errors = OpenAIErrors(name: vendor.title)
  }

  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError) {
    guard !isComplete, !event.data.isEmpty else { return }
    if Self.isDone(event.data) { return try finish(isMarked: true, into: &events) }
    let chunk: ChatChunk
    do {
      chunk = try ChatChunk(event.data)
    } catch {
      if event.type == "error" { throw errors.error(inStream: event.data) }
      throw ModelError(
        code: .invalidResponse, message: "\(errors.name)'s stream holds an event that is no JSON: \(error.message)",
        underlying: error)
    }
    if let report = chunk.usage { usage.take(report) }
    for (key, value) in chunk.sources { sources[key] = value }
    if let error = chunk.error {
      // After the reason to stop nothing can be missing: the reply stands, and the error is told.
      let failure = errors.error(inStream: ["error": error])
      guard finishReason != nil else { throw failure }
      events.append(.warning(code: "late_error", message: failure.message))
    } else if event.type == "error", chunk.choices.isEmpty {
      throw errors.error(inStream: event.data)
    }
    for piece in chunk.choices {
      if choice == nil { choice = piece.index ?? 0 }
      guard piece.index == nil || piece.index == choice else { continue }
      take(piece.delta, into: &events)
      guard let word = piece.finishReason else { continue }
      if let code = ChatStop.failure(word) {
        throw ModelError(
          code: code, message: "\(errors.name) ended the reply with \"\(word)\"", status: 200, providerCode: word)
      }
      if !word.isEmpty || finishReason == nil { finishReason = word }
    }
  }

  mutating func end(into events: inout [ModelEvent]) throws(ModelError) {
    if !isComplete { try finish(isMarked: false, into: &events) }
  }

  private static func isDone(_ data: ArraySlice<UInt8>) -> Bool {
    guard data.first == UInt8(ascii: "[") else { return false }
    return data.starts(with: "[DONE]".utf8)
  }

  private mutating func finish(isMarked: Bool, into events: inout [ModelEvent]) throws(ModelError) {
    let hasCalls = !calls.calls.isEmpty
    // An empty word is a server's way to end a reply; so is none, after calls that are whole.
    let isWhole = isMarked && hasCalls && calls.calls.allSatisfy(\.isComplete)
    guard let word = finishReason.flatMap({ $0.isEmpty && !isMarked ? nil : $0 }) ?? (isWhole ? "" : nil) else {
      throw .truncated(errors.name)
    }
    closeCurrent(into: &events)
    endThought(into: &events)
    for call in calls.calls {
      events.append(.block(block(of: call), index: call.position))
    }
    events.append(
      .finished(ChatStop.reason(word, hasCalls: hasCalls, isRefusal: isRefusal), usage.neutral))
    isComplete = true
  }

  // MARK: - Deltas

  private mutating func take(_ delta: ChatChunk.Delta, into events: inout [ModelEvent]) {
    if !delta.thinkingDetails.isEmpty { details.take(delta.thinkingDetails) }
    if let text = delta.thinking {
      if thinkingField == nil { thinkingField = delta.thinkingField }
      extend(.thinking, text, into: &events)
    } else if !delta.thinkingDetails.isEmpty {
      extend(.thinking, ReasoningDetails.text(delta.thinkingDetails), into: &events)
    }
    for part in delta.parts { take(part: part, into: &events) }
    if let text = delta.text { extend(.text, text, into: &events) }
    if let text = delta.refusal { extend(.refusal, text, into: &events) }
    annotations += delta.annotations
    for (place, piece) in delta.calls.enumerated() {
      take(piece, at: place, of: delta.calls.count, into: &events)
    }
    if let piece = delta.functionCall { take(piece, at: 0, of: 1, into: &events) }
    for image in delta.images {
      guard let media = Self.media(image) else { continue }
      closeCurrent(into: &events)
      events.append(.block(.media(media), index: positions))
      positions += 1
    }
  }

  /// Mistral's parts: text, and thinking that is a list of text parts.
  private mutating func take(part: JSONValue, into events: inout [ModelEvent]) {
    switch part["type"]?.stringValue {
    case "text", "output_text", nil: extend(.text, part["text"]?.stringValue ?? "", into: &events)
    case "thinking", "reasoning":
      let thinking = part["thinking"] ?? part["text"]
      let text =
        thinking?.stringValue ?? (thinking?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }.joined()
      extend(.thinking, text, into: &events)
    case "refusal": extend(.refusal, part["refusal"]?.stringValue ?? "", into: &events)
    default: break
    }
  }

  private mutating func extend(_ kind: Open.Kind, _ text: String, into events: inout [ModelEvent]) {
    guard !text.isEmpty else { return }
    if current?.kind != kind {
      closeCurrent(into: &events)
      if kind == .refusal { isRefusal = true }
      if kind == .thinking, let held = thought {
        // More of the thinking that waits, after text or a call: one block, so that its details stay with it.
        current = held
        thought = nil
      } else {
        current = Open(kind: kind, position: positions, text: "")
        positions += 1
      }
    }
    guard let position = current?.position else { return }
    current?.text += text
    events.append(kind == .thinking ? .thinking(text, index: position) : .text(text, index: position))
  }

  private mutating func take(
    _ piece: ChatChunk.CallPiece, at place: Int, of count: Int, into events: inout [ModelEvent]
  ) {
    let next = positions
    guard let (call, delta) = calls.take(piece, at: place, of: count, nextPosition: { next }) else { return }
    if call.position == next {
      closeCurrent(into: &events)
      positions += 1
    }
    var named = delta
    named.name = delta.name.map { names.name(forWire: $0) }
    events.append(.toolCallDelta(named, index: call.position))
  }

  // MARK: - Blocks

  private mutating func closeCurrent(into events: inout [ModelEvent]) {
    guard let open = current else { return }
    current = nil
    switch open.kind {
    case .thinking: thought = open
    case .refusal:
      events.append(.block(ContentBlock(.text(open.text), extra: extra(["refusal": true])), index: open.position))
    case .text:
      var marks = sources
      if !annotations.isEmpty { marks["annotations"] = .array(annotations) }
      (sources, annotations) = ([:], [])
      events.append(
        .block(
          ContentBlock(.text(open.text), extra: marks.isEmpty ? nil : extra(.object(marks))), index: open.position))
    }
  }

  /// Ends the thinking, with the details that go back with it.
  private mutating func endThought(into events: inout [ModelEvent]) {
    guard thought != nil || !details.isEmpty else { return }
    let open = thought ?? Open(kind: .thinking, position: positions, text: "")
    if thought == nil { positions += 1 }
    thought = nil
    let extra: BlockExtra? =
      if !details.isEmpty {
        BlockExtra(provider: vendor, model: model, value: ["reasoning_details": .array(details.values)])
      } else {
        extra(thinkingField.map { ["field": .string($0)] } ?? [:])
      }
    let thinking = Thinking(text: open.text, redacted: open.text.isEmpty)
    events.append(.block(ContentBlock(.thinking(thinking), extra: extra), index: open.position))
  }

  private func block(of call: ChatCalls.Call) -> ContentBlock {
    ContentBlock(
      .toolCall(
        ToolCall(
          id: call.id, name: names.name(forWire: call.name), argumentsText: call.arguments)),
      extra: call.rest.isEmpty ? nil : extra(.object(call.rest)))
  }

  private func extra(_ value: JSONValue) -> BlockExtra { BlockExtra(provider: vendor, value: value) }

  /// A picture that the model made: `{"type":"image_url","image_url":{"url":"data:…"}}`.
  private static func media(_ image: JSONValue) -> Media? {
    guard let url = image["image_url"]?["url"]?.stringValue else { return nil }
    guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") else {
      return Media(kind: .image, mimeType: "image/png", source: .url(url))
    }
    let type = url[..<comma].dropFirst(5).split(separator: ";").first.map(String.init) ?? "image/png"
    return Media(kind: .image, mimeType: type, source: .data(base64: String(url[comma...].dropFirst())))
  }
}
