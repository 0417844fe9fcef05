import Martlet
import MartletJSON

/// Puts a reply together from Ollama's lines of JSON. The line with `done` completes it; calls come whole, often without
/// ids, and `done_reason` then says `stop` all the same.
struct OllamaStreamDecoder: WireDecoder {
  /// The tools' names on the wire.
  private let names: WireNames
  private let contextWindow: Int
  /// Bytes of text in the request.
  private let sentBytes: Int
  private var positions = 0
  private var current: (isThinking: Bool, position: Int, text: String)?
  private var hasCalls = false
  private(set) var isComplete = false

  init(names: WireNames, contextWindow: Int, sentBytes: Int) {
    self.names = names
    self.contextWindow = contextWindow
    self.sentBytes = sentBytes
  }

  /// What counts of one line.
  private struct Line {
    var text: String?
    var thinking: String?
    var calls: [JSONValue] = []
    var images: [JSONValue] = []
    var isDone = false
    var reason: String?
    var counts: [String: Int] = [:]
    var error: JSONValue?
  }

  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError) {
    guard !isComplete else { return }
    let line: Line
    do {
      line = try JSONScanner.scan(event.data) { scanner throws(JSONError) in try Self.read(&scanner) }
    } catch {
      throw ModelError(
        code: .invalidResponse, message: "Ollama's stream holds a line that is no JSON: \(error.message)",
        underlying: error)
    }
    if let error = line.error {
      throw OllamaErrors().error(inStream: ["error": error])
    }
    if let text = line.thinking { extend(isThinking: true, text, into: &events) }
    if let text = line.text { extend(isThinking: false, text, into: &events) }
    for call in line.calls { take(call: call, into: &events) }
    for image in line.images {
      guard let base64 = image.stringValue else { continue }
      closeCurrent(into: &events)
      let media = Media(kind: .image, mimeType: "image/png", source: .data(base64: base64))
      events.append(.block(.media(media), index: nextPosition()))
    }
    if line.isDone { finish(line, into: &events) }
  }

  mutating func end(into events: inout [ModelEvent]) throws(ModelError) {
    if !isComplete { throw .truncated("Ollama") }
  }

  private static func read(_ scanner: inout JSONScanner) throws(JSONError) -> Line {
    var line = Line()
    guard try scanner.enterObject() else { return line }
    while try scanner.nextMember() {
      if scanner.isKey("message") {
        guard try scanner.enterObject() else { continue }
        try readMessage(&line, &scanner)
      } else if scanner.isKey("done") {
        line.isDone = try scanner.value() == true
      } else if scanner.isKey("done_reason") {
        line.reason = try scanner.string()
      } else if scanner.isKey("error") {
        let value = try scanner.value()
        if !value.isNull { line.error = value }
      } else if scanner.isKey("model") || scanner.isKey("created_at") {
        try scanner.skip()
      } else {
        let key = scanner.key
        line.counts[key] = try scanner.int()
      }
    }
    return line
  }

  private static func readMessage(_ line: inout Line, _ scanner: inout JSONScanner) throws(JSONError) {
    while try scanner.nextMember() {
      if scanner.isKey("content") {
        line.text = try scanner.string()
      } else if scanner.isKey("thinking") {
        line.thinking = try scanner.string()
      } else if scanner.isKey("tool_calls") {
        line.calls = try scanner.list()
      } else if scanner.isKey("images") {
        line.images = try scanner.list()
      } else {
        try scanner.skip()
      }
    }
  }

  // MARK: - Blocks

  private mutating func nextPosition() -> Int {
    defer { positions += 1 }
    return positions
  }

  private mutating func extend(isThinking: Bool, _ text: String, into events: inout [ModelEvent]) {
    guard !text.isEmpty else { return }
    if current?.isThinking != isThinking {
      closeCurrent(into: &events)
      current = (isThinking, nextPosition(), "")
    }
    guard let position = current?.position else { return }
    current?.text += text
    events.append(isThinking ? .thinking(text, index: position) : .text(text, index: position))
  }

  private mutating func closeCurrent(into events: inout [ModelEvent]) {
    guard let open = current else { return }
    current = nil
    let block =
      open.isThinking
      ? ContentBlock(
        .thinking(Thinking(text: open.text)), extra: BlockExtra(provider: Ollama.provider, value: ["field": "thinking"])
      )
      : .text(open.text)
    events.append(.block(block, index: open.position))
  }

  private mutating func take(call: JSONValue, into events: inout [ModelEvent]) {
    let name = call["function"]?["name"]?.stringValue ?? ""
    let arguments: ToolCall.Arguments =
      switch call["function"]?["arguments"] {
      case .object(let object)?: .object(object)
      case .string(let text)?: ToolCall.Arguments(text: text)
      case nil, .null?: .object([:])
      case let value?: ToolCall.Arguments(text: value.text())
      }
    closeCurrent(into: &events)
    hasCalls = true
    let position = nextPosition()
    let whole = ToolCall(
      id: call["id"]?.stringValue ?? "", name: names.name(forWire: name), arguments: arguments)
    events.append(.block(.toolCall(whole), index: position))
  }

  // MARK: - The end

  private mutating func finish(_ line: Line, into events: inout [ModelEvent]) {
    closeCurrent(into: &events)
    let prompt = line.counts["prompt_eval_count"] ?? 0
    let output = line.counts["eval_count"] ?? 0
    let word = line.reason ?? "stop"
    if let warning = truncation(prompt: prompt) { events.append(.warning(code: "input_truncated", message: warning)) }
    if output > 0 { events.append(.metrics(metrics(line, prompt: prompt, output: output, word: word))) }
    let reason: StopReason =
      switch word {
      case "stop", "load", "unload", "": hasCalls ? .toolUse : .endTurn
      case "length": .maxTokens
      default: StopReason(rawValue: word)
      }
    events.append(.finished(reason, Usage(input: prompt, output: output)))
    isComplete = true
  }

  private func metrics(_ line: Line, prompt: Int, output: Int, word: String) -> Metrics {
    // Durations are in nanoseconds.
    let evaluation = Double(line.counts["eval_duration"] ?? 0) / 1e9
    let first = Double(line.counts["load_duration"] ?? 0) + Double(line.counts["prompt_eval_duration"] ?? 0)
    return Metrics(
      promptTokens: prompt, generatedTokens: output, ttftMs: first / 1e6,
      tokensPerSecond: evaluation > 0 ? Double(output) / evaluation : 0, contextUsed: prompt &+ output,
      contextMax: contextWindow, finished: true, stopReason: word)
  }

  /// Whether the server dropped the front of what was sent: the request fills the window by our estimate of four bytes a
  /// token, and the prompt that was evaluated has a quarter fewer tokens than that, which no text comes to (English prose
  /// has up to 4.8 bytes a token, all else fewer), or fills the window itself.
  private func truncation(prompt: Int) -> String? {
    let estimate = sentBytes / 4
    guard prompt > 0, estimate * 10 > contextWindow * 9 else { return nil }
    guard prompt * 4 < estimate * 3 || prompt * 100 >= contextWindow * 98 else { return nil }
    return
      "Ollama read \(prompt) tokens of about \(estimate) that were sent: the context holds \(contextWindow), and what does not fit was dropped from the front. Raise the context window or shorten the conversation."
  }
}
