import Martlet
import MartletHTTP
import MartletJSON

@testable import MartletProviders

/// A reply as the tests look at it.
struct ChatReading: Equatable, CustomStringConvertible {
  var text = ""
  var thinking = ""
  var refusal = ""
  var calls: [Call] = []
  var stop: StopReason?
  var usage: Usage?

  struct Call: Equatable {
    var id: String
    var name: String
    var arguments: JSONValue
  }

  var description: String {
    "\(stop?.rawValue ?? "-") \(usage.map { $0.json.text() } ?? "-") text \(text) thinking \(thinking) refusal \(refusal) calls \(calls.map { "\($0.id) \($0.name) \($0.arguments.text())" })"
  }

  init() {}

  /// Reads a stream to its end, checking on the way that previews and blocks say the same.
  init(of model: some LanguageModel, _ request: ModelRequest = ModelRequest(messages: [.user("Hi")])) async throws {
    var blocks: [Int: ContentBlock] = [:]
    var previews: [Int: String] = [:]
    for try await event in model.stream(request) {
      switch event {
      case .block(let block, let index): blocks[index] = block
      case .text(let text, let index), .thinking(let text, let index): previews[index, default: ""] += text
      case .finished(let reason, let counts): (stop, usage) = (reason, counts)
      default: break
      }
    }
    for (index, block) in blocks.sorted(by: { $0.key < $1.key }) {
      switch block.kind {
      case .text(let part):
        if block.extra?.value["refusal"] == true { refusal += part } else { text += part }
        if previews[index] != part { text += " (previewed as \(previews[index] ?? "nothing"))" }
      case .thinking(let part):
        thinking += part.text
        if (previews[index] ?? "") != part.text { thinking += " (previewed otherwise)" }
      case .toolCall(let call):
        let arguments: JSONValue =
          switch call.arguments {
          case .object(let object): .object(object)
          case .unparsed(let text, _): .string(text)
          }
        calls.append(Call(id: call.id, name: call.name, arguments: arguments))
      default: break
      }
    }
  }

  /// What the vendor's own client made of a stream, or a whole answer: its first choice.
  init(final: JSONValue) {
    let choice = final["choices"]?[0] ?? [:]
    let message = choice["message"] ?? [:]
    switch message["content"] {
    case .string(let content)?: text = content
    case .array(let parts)?:
      text = parts.compactMap { $0["type"] == "text" ? $0["text"]?.stringValue : nil }.joined()
      thinking = parts.flatMap { $0["thinking"]?.arrayValue ?? [] }.compactMap { $0["text"]?.stringValue }.joined()
    default: break
    }
    refusal = message["refusal"]?.stringValue ?? ""
    for key in ["reasoning", "reasoning_content"] { if let text = message[key]?.stringValue { thinking = text } }
    var wire = message["tool_calls"]?.arrayValue ?? []
    if let call = message["function_call"], call["name"]?.stringValue?.isEmpty == false {
      wire.append(["function": call])
    }
    for call in wire {
      let text = call["function"]?["arguments"]?.stringValue ?? ""
      let arguments: JSONValue
      do { arguments = text.isEmpty ? [:] : try JSONValue(parsing: text) } catch { arguments = .string(text) }
      calls.append(
        Call(
          id: call["id"]?.stringValue ?? "", name: call["function"]?["name"]?.stringValue ?? "", arguments: arguments))
    }
    switch choice["finish_reason"]?.stringValue {
    case "length"?: stop = .maxTokens
    case "content_filter"?: stop = .contentFilter
    case let word?: stop = Self.isEnd(word) ? end : StopReason(rawValue: word)
    case nil: if !calls.isEmpty { stop = .toolUse }
    }
    if let counts = final["usage"], counts.objectValue != nil { usage = Self.usage(counts) }
  }

  /// Undoes what OpenAI's client does to ids and names that come with more than one piece: it joins them too.
  mutating func unjoin(body: [UInt8]) {
    let body = String(decoding: body, as: UTF8.self)
    func once(_ text: String) -> String {
      guard !body.contains("\"\(text)\"") else { return text }
      let units = (1..<max(1, text.count)).lazy.filter { text.count.isMultiple(of: $0) }.map { String(text.prefix($0)) }
      return units.first { text == String(repeating: $0, count: text.count / $0.count) && body.contains("\"\($0)\"") }
        ?? text
    }
    calls = calls.map { Call(id: once($0.id), name: once($0.name), arguments: $0.arguments) }
  }

  private static func isEnd(_ word: String) -> Bool {
    ["stop", "tool_calls", "function_call", "eos", ""].contains(word)
  }

  private var end: StopReason { calls.isEmpty ? (refusal.isEmpty ? .endTurn : .refusal) : .toolUse }

  /// Counts as they mean: what a total has beyond its parts is reasoning.
  private static func usage(_ counts: JSONValue) -> Usage {
    func int(_ path: String...) -> Int? { path.reduce(counts as JSONValue?) { $0?[$1] }?.intValue }
    let input = int("prompt_tokens") ?? 0
    let output = int("completion_tokens") ?? 0
    let hidden = max(0, (int("total_tokens") ?? 0) - input - output)
    return Usage(
      input: input,
      cachedInput: int("prompt_tokens_details", "cached_tokens") ?? int("prompt_cache_hit_tokens")
        ?? int("cached_tokens") ?? int("num_cached_tokens") ?? 0,
      cacheWrite: int("prompt_tokens_details", "cache_write_tokens") ?? 0, output: output + hidden,
      reasoning: min(
        output + hidden,
        max(hidden, int("completion_tokens_details", "reasoning_tokens") ?? int("reasoning_tokens") ?? 0)))
  }
}
