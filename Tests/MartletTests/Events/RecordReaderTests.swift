import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

/// The quick way to read records gives what the general way gives, or nothing.
@Suite struct `The reader of records` {
  static func quick(_ bytes: [UInt8]) -> EventRecord? {
    var reader = RecordReader()
    return bytes.withUnsafeBufferPointer { reader.record($0) }
  }

  @Test func `reads what sessions are mostly made of, as the general way does`() throws {
    var counts: [String: Int] = [:]
    var missed: Set<String> = []
    for seed in UInt64(0)..<40 {
      var session = SimulatedSession(seed: seed, trouble: 0.05, checksPrefixes: false)
      for text in ["One", "Zwei\n\"quoted\" \\ ünïcode 🐦", ""] { _ = session.prompt(text) }
      var reader = RecordReader()
      for record in session.records {
        let bytes = record.json.bytes()
        if let read = bytes.withUnsafeBufferPointer({ reader.record($0) }) {
          #expect(read == record)
          counts[record.event.type, default: 0] += 1
        } else {
          missed.insert(record.event.type)
        }
      }
    }
    for type in [
      "iteration_started", "model_call", "model_call_ended", "assistant_message", "tool_started", "tool_finished",
      "prompt", "run_started", "finished",
    ] { #expect(counts[type, default: 0] > 0, "\(type) is never read") }
    #expect(missed.isDisjoint(with: ["iteration_started", "model_call", "tool_started", "tool_finished", "prompt"]))
  }

  static let records: [EventRecord] = {
    let call = ToolCall(id: "call_1", name: "look", arguments: ["a": [1, 2.5, "x"], "b": ["c": .null]])
    let events: [AgentEvent] = [
      .prompt(Prompt(messageId: "m", message: .user("Grüße \u{1F426}\n"), queueId: "q")),
      .modelCall(ModelCallStarted(model: "a/b", messageId: "m", reserved: Reservation(tokens: 7, usd: 0.25))),
      .modelCallEnded(ModelCallEnded(usage: Usage(input: 3, output: 4), cost: 0.125, requestId: "r")),
      .assistantMessage(
        AssistantMessage(
          messageId: "m", message: .assistant(text: "Let me \\ see", toolCalls: [call]), stopReason: .toolUse,
          usage: Usage(input: 3, output: 4))),
      .toolStarted(ToolStarted(call: call, effect: .readOnly)),
      .toolFinished(
        ToolFinished(.failure(call, code: .timeout, "too long"), durationMs: 12.5)),
      .finished(Finished(iterations: 2, reason: .answered, usage: Usage(input: 3, output: 4), cost: 0.5)),
      .runStarted(RunStarted(budget: Budget(iterations: 3, tokens: 9))), .iterationStarted(2),
    ]
    return events.enumerated().map {
      EventRecord(
        seq: $0.offset + 1, time: Timestamp(milliseconds: 1_796_000_000_123), session: "s", run: "r", event: $0.element)
    }
  }()

  @Test func `reads mutated records as the general way does, or leaves them to it`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var both = 0
    for record in Self.records {
      let bytes = record.json.bytes()
      #expect(Self.quick(bytes) == record, "\(record.event.type) is not read")
      // What is cut off is never a record.
      for count in 0..<bytes.count { #expect(Self.quick(Array(bytes.prefix(count))) == nil) }
      for _ in 0..<2_000 {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = Int.random(in: 0..<mutated.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: mutated[index] = UInt8.random(in: 0...255, using: &random)
          case 1: mutated[index] = Array("\"\\{}[],:019tfn é".utf8).randomElement(using: &random) ?? 0
          case 2: mutated.remove(at: index)
          default: mutated.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
          }
        }
        guard let read = Self.quick(mutated) else { continue }
        both += 1
        let general = Result { try EventRecord(json: JSONValue(parsing: mutated)) }
        guard case .success(read) = general else {
          Issue.record("seed \(seed): \(general) of \(String(decoding: mutated, as: UTF8.self))")
          continue
        }
      }
    }
    #expect(both > 100)
  }

  @Test func `leaves records with a comma too much or too little to the general way, which refuses them`() throws {
    for record in Self.records {
      let bytes = record.json.bytes()
      for (index, byte) in bytes.enumerated() {
        var damaged: [[UInt8]] = []
        if byte == UInt8(ascii: ",") {
          damaged.append(Array(bytes[..<index] + bytes[(index + 1)...]))
          damaged.append(Array(bytes[...index] + bytes[index...]))
        }
        if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(byte) {
          damaged.append(Array(bytes[...index] + [UInt8(ascii: ",")] + bytes[(index + 1)...]))
        }
        if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) {
          damaged.append(Array(bytes[..<index] + [UInt8(ascii: ",")] + bytes[index...]))
        }
        for text in damaged where (try? JSONValue(parsing: text)) == nil {
          #expect(Self.quick(text) == nil, "\(String(decoding: text, as: UTF8.self))")
        }
      }
    }
  }

  @Test(arguments: [
    #","more":1}"#, #","usage":{"input":1}}"#, "} x", #","message_id":"again"}"#,
  ])
  func `leaves what it does not know to the general way`(end: String) throws {
    for record in Self.records {
      let bytes = record.json.bytes()
      #expect(Self.quick(bytes.dropLast() + Array(end.utf8)) == nil, "\(record.event.type)")
    }
  }
}
