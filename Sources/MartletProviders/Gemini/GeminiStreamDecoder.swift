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
    if event.type == "error" { throw GeminiErrors().error(inStream: event.data) }
    var chunk = try Self.parse(event.data)
    if let first = chunk.arrayValue?.first { chunk = first }
    if chunk["error"] != nil { throw GeminiErrors().error(inStream: chunk) }
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

    /// Reads the object at the scanner; false when something else is there.
    mutating func read(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
      guard try scanner.enterObject() else { return false }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "promptTokenCount": prompt = try scanner.int()
        case "toolUsePromptTokenCount": toolPrompt = try scanner.int()
        case "cachedContentTokenCount": cached = try scanner.int()
        case "candidatesTokenCount": reply = try scanner.int()
        case "thoughtsTokenCount": thoughts = try scanner.int()
        case "totalTokenCount": total = try scanner.int()
        default: try scanner.skip()
        }
      }
      return true
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
    var text = ""
    var isThought = false
    var counts = Counts()
    private var hasText = false

    /// nil for any other chunk, and for broken text: the whole is read then, which says what is wrong.
    static func read(_ bytes: ArraySlice<UInt8>) -> PlainChunk? {
      do {
        return try JSONScanner.scan(bytes) { scanner throws(JSONError) in
          var chunk = PlainChunk()
          return try chunk.read(&scanner) && chunk.hasText ? chunk : nil
        }
      } catch {
        return nil
      }
    }

    /// Each of these is false where something is not as plain chunks have it.
    private mutating func read(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
      guard try scanner.enterObject() else { return false }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "candidates":
          guard try readOnly(&scanner, { chunk, scanner throws(JSONError) in try chunk.readCandidate(&scanner) }) else {
            return false
          }
        case "usageMetadata": guard try counts.read(&scanner) else { return false }
        case "modelVersion", "responseId", "createTime": try scanner.skip()
        default: return false
        }
      }
      return true
    }

    private mutating func readCandidate(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
      guard try scanner.enterObject() else { return false }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "content": guard try readContent(&scanner) else { return false }
        case "index": guard try scanner.int() == 0 else { return false }
        case "safetyRatings": try scanner.skip()
        default: return false
        }
      }
      return true
    }

    private mutating func readContent(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
      guard try scanner.enterObject() else { return false }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "parts":
          guard try readOnly(&scanner, { chunk, scanner throws(JSONError) in try chunk.readPart(&scanner) }) else {
            return false
          }
        case "role": try scanner.skip()
        default: return false
        }
      }
      return true
    }

    private mutating func readPart(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
      guard try scanner.enterObject() else { return false }
      while try scanner.nextMember() {
        switch scanner.keyWord {
        case "text":
          guard let found = try scanner.string() else { return false }
          text = found
          hasText = true
        case "thought":
          guard try scanner.bool() == true else { return false }
          isThought = true
        default: return false
        }
      }
      return true
    }

    /// Reads the element of an array that has no more than one.
    private mutating func readOnly(
      _ scanner: inout JSONScanner,
      _ element: (inout PlainChunk, inout JSONScanner) throws(JSONError) -> Bool
    ) throws(JSONError) -> Bool {
      guard try scanner.enterArray() else { return false }
      var count = 0
      while try scanner.nextElement() {
        count += 1
        guard count == 1, try element(&self, &scanner) else { return false }
      }
      return true
    }
  }
}
