import Martlet
import MartletJSON

/// Puts a reply together from the chunks of `streamGenerateContent`.
///
/// Every chunk brings whole parts to append. Texts of one kind that follow each other are one block, unless a part carries
/// a signature or anything else: then it is a block of its own, and the signature stays where it was. There is no last
/// event: the reply is complete when the connection ends after a reason to finish.
struct GeminiStreamDecoder: WireDecoder {
  private let model: String
  private let names: WireNames
  private let parts: GeminiPart
  /// The text block under way.
  private var open: OpenText?
  /// The call whose arguments come in pieces.
  private var call: OpenCall?
  private var position = 0
  private var hasCalls = false
  private var finish: String?
  private var finishMessage: String?
  private var blockReason: String?
  /// What the last chunk with counts said.
  private var counts = Counts()
  /// Sources and citations of the reply.
  private var metadata = JSONObject()

  private struct OpenText: Sendable {
    var isThought: Bool
    var text: [UInt8]
  }

  private struct OpenCall: Sendable {
    var call: JSONObject
    var part: JSONObject
    var arguments = GeminiArguments()
  }

  /// Counts may still come after the reason to finish.
  var isComplete: Bool { false }

  init(model: String, names: WireNames = WireNames(.dotted)) {
    self.model = model
    self.names = names
    parts = GeminiPart(model: model)
  }

  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError) {
    if let plain = PlainChunk.read(event.data) {
      if plain.counts.areGiven { counts = plain.counts }
      add(plain.text, isThought: plain.isThought, into: &events)
      return
    }
    var chunk = try Self.parse(event.data)
    if let first = chunk.arrayValue?.first { chunk = first }
    if chunk["error"] != nil { throw Self.failure(chunk) }
    // Other candidates are only there when more than one was asked for.
    if let candidate = chunk["candidates"]?.arrayValue?.first(where: { ($0["index"]?.intValue ?? 0) == 0 }) {
      for part in candidate["content"]?["parts"]?.arrayValue ?? [] {
        if let part = part.objectValue { take(part, into: &events) }
      }
      for key in ["groundingMetadata", "citationMetadata", "urlContextMetadata"] {
        if let value = candidate[key] { metadata[key] = value }
      }
      if let reason = candidate["finishReason"]?.stringValue {
        finish = reason
        finishMessage = candidate["finishMessage"]?.stringValue
      }
    }
    if let reason = chunk["promptFeedback"]?["blockReason"]?.stringValue { blockReason = reason }
    let counts = Counts(chunk["usageMetadata"])
    if counts.areGiven { self.counts = counts }
  }

  mutating func end(into events: inout [ModelEvent]) throws(ModelError) {
    endCall(into: &events)
    endText(into: &events)
    if let finish {
      let reason = try stopReason(finish)
      events.append(.finished(reason, counts.usage))
    } else if blockReason != nil {
      // The prompt itself was refused.
      events.append(.finished(.refusal, counts.usage))
    } else {
      throw .truncated("Gemini")
    }
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) throws(ModelError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw ModelError(
        code: .invalidResponse, message: "Gemini's stream holds an event that is no JSON: \(error.message)",
        underlying: error)
    }
  }

  private static func failure(_ chunk: JSONValue) -> ModelError {
    let fault = GeminiErrors().read(chunk, status: 200)
    return ModelError(
      code: fault?.code ?? .serverError,
      message: "Gemini: \((fault?.message ?? "an error without a message").shortened)",
      isRetryable: fault?.isFinal == true ? false : nil, retryAfter: fault?.delay, status: 200,
      providerCode: fault?.providerCode)
  }

  // MARK: - Parts

  private mutating func take(_ part: JSONObject, into events: inout [ModelEvent]) {
    if let call = part["functionCall"]?.objectValue {
      takeCall(call, part, into: &events)
      return
    }
    endCall(into: &events)
    let isPlain = part.allSatisfy { $0.key == "text" || $0.key == "thought" }
    if isPlain, let text = part["text"]?.stringValue {
      add(text, isThought: part["thought"] == true, into: &events)
      return
    }
    endText(into: &events)
    if let text = part["text"]?.stringValue, !text.isEmpty {
      events.append(part["thought"] == true ? .thinking(text, index: position) : .text(text, index: position))
    }
    end(parts.block(of: part, names: names), into: &events)
  }

  private mutating func add(_ text: String, isThought: Bool, into events: inout [ModelEvent]) {
    guard !text.isEmpty else { return }
    if call != nil { endCall(into: &events) }
    if open?.isThought == isThought {
      open?.text.append(contentsOf: text.utf8)
    } else {
      endText(into: &events)
      open = OpenText(isThought: isThought, text: Array(text.utf8))
    }
    events.append(isThought ? .thinking(text, index: position) : .text(text, index: position))
  }

  private mutating func endText(into events: inout [ModelEvent]) {
    guard let open else { return }
    self.open = nil
    let text = String(decoding: open.text, as: UTF8.self)
    let kept = open.isThought ? [:] : metadata
    if !open.isThought { metadata = [:] }
    end(parts.textBlock(text, part: open.isThought ? ["thought": true] : [:], metadata: kept), into: &events)
  }

  private mutating func end(_ block: ContentBlock, into events: inout [ModelEvent]) {
    if case .toolCall = block.kind { hasCalls = true }
    events.append(.block(block, index: position))
    position += 1
  }

  /// A call comes whole, or as its name, pieces of its arguments, and a last piece that does not say that it goes on.
  private mutating func takeCall(_ call: JSONObject, _ part: JSONObject, into events: inout [ModelEvent]) {
    let continues = call["willContinue"] == true
    let pieces = call["partialArgs"]?.arrayValue ?? []
    if let name = call["name"]?.stringValue {
      endCall(into: &events)
      endText(into: &events)
      events.append(
        .toolCallDelta(
          ToolCallDelta(id: call["id"]?.stringValue, name: names.name(forWire: name), arguments: ""), index: position))
      guard continues || !pieces.isEmpty else {
        end(parts.block(of: part, names: names), into: &events)
        return
      }
      self.call = OpenCall(call: call, part: part)
    }
    guard self.call != nil else { return }  // the end of a call that had ended
    for piece in pieces { self.call?.arguments.add(piece) }
    // A signature may come with a later piece.
    for (key, value) in part where key != "functionCall" { self.call?.part[key] = value }
    if !continues { endCall(into: &events) }
  }

  private mutating func endCall(into events: inout [ModelEvent]) {
    guard let call else { return }
    self.call = nil
    let arguments = call.arguments.value
    events.append(.toolCallDelta(ToolCallDelta(arguments: arguments.text()), index: position))
    end(
      parts.callBlock(call.call, arguments: arguments.objectValue ?? [:], part: call.part, names: names), into: &events)
  }

  // MARK: - End

  private func stopReason(_ word: String) throws(ModelError) -> StopReason {
    switch word {
    case "STOP", "FINISH_REASON_UNSPECIFIED": return hasCalls ? .toolUse : .endTurn
    case "MAX_TOKENS": return .maxTokens
    case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR", "IMAGE_SAFETY",
      "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
      return .contentFilter
    case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "TOO_MANY_TOOL_CALLS",
      "MISSING_THOUGHT_SIGNATURE":
      // The model wrote what the service could not make a call of; written again it may be one.
      let detail = finishMessage.map { ": \($0.shortened)" } ?? ""
      throw ModelError(
        code: .invalidResponse, message: "Gemini could not finish its reply (\(word))\(detail)",
        isRetryable: word != "MISSING_THOUGHT_SIGNATURE", providerCode: word)
    default: return StopReason(rawValue: word.lowercased())
    }
  }

  /// What `usageMetadata` counts. Thoughts stand beside the reply there, and the prompts of built-in tools beside the prompt.
  private struct Counts: Sendable {
    private var prompt: Int?
    private var toolPrompt: Int?
    private var cached: Int?
    private var reply: Int?
    private var thoughts: Int?
    private var total: Int?

    init() {}

    init(_ json: JSONValue?) {
      prompt = json?["promptTokenCount"]?.intValue
      toolPrompt = json?["toolUsePromptTokenCount"]?.intValue
      cached = json?["cachedContentTokenCount"]?.intValue
      reply = json?["candidatesTokenCount"]?.intValue
      thoughts = json?["thoughtsTokenCount"]?.intValue
      total = json?["totalTokenCount"]?.intValue
    }

    mutating func read(_ cursor: inout JSONCursor) -> Bool {
      cursor.object { cursor, key in
        switch key {
        case "promptTokenCount": cursor.integer(into: &prompt)
        case "toolUsePromptTokenCount": cursor.integer(into: &toolPrompt)
        case "cachedContentTokenCount": cursor.integer(into: &cached)
        case "candidatesTokenCount": cursor.integer(into: &reply)
        case "thoughtsTokenCount": cursor.integer(into: &thoughts)
        case "totalTokenCount": cursor.integer(into: &total)
        default: cursor.skip()
        }
      }
    }

    /// Some chunks only name the kind of traffic.
    var areGiven: Bool { prompt != nil || total != nil }

    var usage: Usage {
      let thoughts = max(0, thoughts ?? 0)
      return Usage(input: max(0, prompt ?? 0), cachedInput: max(0, cached ?? 0), output: max(0, reply ?? 0))
        + Usage(input: max(0, toolPrompt ?? 0), output: thoughts, reasoning: thoughts)
    }
  }

  /// A chunk that brings one piece of plain text, as nearly all do, picked out without reading the rest.
  private struct PlainChunk {
    var text: String
    var isThought: Bool
    var counts = Counts()

    /// nil for any other chunk.
    static func read(_ bytes: ArraySlice<UInt8>) -> PlainChunk? {
      JSONCursor.read(bytes) { cursor -> PlainChunk? in
        var text: String?
        var chunk = PlainChunk(text: "", isThought: false)
        var candidates = 0
        let isPlain = cursor.object { cursor, key in
          switch key {
          case "candidates":
            return cursor.array { cursor in
              candidates += 1
              return candidates == 1 && candidate(&cursor, &text, &chunk.isThought)
            }
          case "usageMetadata": return chunk.counts.read(&cursor)
          case "modelVersion", "responseId", "createTime": return cursor.skip()
          default: return false
          }
        }
        guard isPlain, let text else { return nil }
        chunk.text = text
        return chunk
      }
    }

    private static func candidate(_ cursor: inout JSONCursor, _ text: inout String?, _ isThought: inout Bool) -> Bool {
      var found: String?
      var thought = false
      let isPlain = cursor.object { cursor, key in
        switch key {
        case "content":
          return cursor.object { cursor, key in
            switch key {
            case "parts":
              var count = 0
              return cursor.array { cursor in
                count += 1
                return count == 1
                  && cursor.object { cursor, key in
                    switch key {
                    case "text":
                      found = cursor.string()
                      return found != nil
                    case "thought":
                      thought = cursor.isTrue()
                      return thought
                    default: return false
                    }
                  }
              }
            case "role": return cursor.skip()
            default: return false
            }
          }
        case "index":
          var index: Int?
          return cursor.integer(into: &index) && index == 0
        case "safetyRatings": return cursor.skip()
        default: return false
        }
      }
      text = found
      isThought = thought
      return isPlain
    }
  }
}
