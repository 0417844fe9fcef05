import MartletJSON

/// Reads the records that long logs are made of straight from their bytes, without a JSON value in between: opening a
/// session is mostly this.
///
/// It expects what is written: the members in their order, without white space. Whatever is unusual it leaves to
/// `EventRecord(json:)`: other events, unknown fields, another order, values of another kind. So both read the same.
package struct RecordReader {
  private var session = Repeated()
  private var run = Repeated()
  private var model = Repeated()
  private var tool = Repeated()
  private var clock = Clock()

  package init() {}

  /// A text that most records have alike, kept so that it is made once.
  private struct Repeated {
    private var bytes: [UInt8] = []
    private var text = ""

    /// The text of a word; nil when it is not as it is written.
    mutating func text(_ word: JSONScanner.Word) -> String? {
      if word.hasBytes(bytes) { return text }
      guard let plain = JSONScanner.plainText(word) else { return nil }
      (bytes, text) = (Array(word.bytes), plain)
      return text
    }
  }

  /// Reads times of which most are of the minute of the one before.
  private struct Clock {
    /// "2026-11-30T09:14:".
    private var minute: [UInt8] = []
    private var start: Int64 = 0

    mutating func time(_ word: JSONScanner.Word) -> Timestamp? {
      let bytes = word.bytes
      // With milliseconds, as they are written.
      guard let milliseconds = Self.milliseconds(bytes) else { return Timestamp(utf8: bytes) }
      if word.beginsWith(minute), !minute.isEmpty { return Timestamp(milliseconds: start + milliseconds) }
      guard let time = Timestamp(utf8: bytes) else { return nil }
      (minute, start) = (Array(bytes[..<17]), time.milliseconds - milliseconds)
      return time
    }

    /// Those of the seconds in "2026-11-30T09:14:05.123Z".
    private static func milliseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
      guard bytes.count == 24, bytes[19] == UInt8(ascii: "."), bytes[23] == UInt8(ascii: "Z") else { return nil }
      var value: Int64 = 0
      for index in 17..<23 where index != 19 {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
      }
      return value < 61_000 ? value : nil
    }
  }

  /// The record; nil where it has to be read in the general way.
  package mutating func record(_ bytes: UnsafeBufferPointer<UInt8>) -> EventRecord? {
    do {
      return try JSONScanner.scan(bytes) { scanner throws(JSONError) in try record(&scanner) }
    } catch {
      // The general way says what is wrong.
      return nil
    }
  }

  private mutating func record(_ scanner: inout JSONScanner) throws(JSONError) -> EventRecord? {
    guard scanner.passes(#"{"seq":"#), let seq = try scanner.int(),
      scanner.passes(#","time":"#), let moment = try scanner.word(), let time = clock.time(moment),
      scanner.passes(#","session":"#), let word = try scanner.word(), let session = session.text(word)
    else { return nil }
    var run: String?
    if scanner.passes(#","run":"#) {
      guard let word = try scanner.word(), let text = self.run.text(word) else { return nil }
      run = text
    }
    guard scanner.passes(#","type":"#), let type = try scanner.word(), let event = try event(type, &scanner),
      scanner.passes("}"), try scanner.isAtEnd()
    else { return nil }
    return EventRecord(seq: seq, time: time, session: session, run: run, event: event)
  }

  /// Reads the members that follow the type.
  private mutating func event(
    _ type: JSONScanner.Word, _ scanner: inout JSONScanner
  ) throws(JSONError) -> AgentEvent? {
    switch type {
    case "iteration_started": try iterationStarted(&scanner)
    case "model_call": try modelCall(&scanner)
    case "model_call_ended": try modelCallEnded(&scanner)
    case "assistant_message": try assistantMessage(&scanner)
    case "tool_started": try toolStarted(&scanner)
    case "tool_finished": try toolFinished(&scanner)
    case "prompt": try prompt(&scanner)
    case "run_started": try runStarted(&scanner)
    case "finished": try finished(&scanner)
    default: nil
    }
  }

  // MARK: - Events

  private func iterationStarted(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","iteration":"#), let iteration = try scanner.int() else { return nil }
    return .iterationStarted(iteration)
  }

  private mutating func modelCall(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","purpose":"turn","model":"#), let word = try scanner.word(), let model = model.text(word),
      scanner.passes(#","attempt":"#), let attempt = try scanner.int(),
      scanner.passes(#","message_id":"#), let messageId = try scanner.exactString(),
      scanner.passes(#","reserved":{"tokens":"#), let tokens = try scanner.int(),
      scanner.passes(#","usd":"#), let usd = try number(&scanner), scanner.passes("}")
    else { return nil }
    return .modelCall(
      ModelCallStarted(
        purpose: .turn, model: model, attempt: attempt, messageId: messageId,
        reserved: Reservation(tokens: tokens, usd: usd)))
  }

  private func modelCallEnded(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard let usage = try usage(&scanner), scanner.passes(#","cost":"#), let cost = try number(&scanner) else {
      return nil
    }
    var requestId: String?
    if scanner.passes(#","request_id":"#) {
      guard let text = try scanner.exactString() else { return nil }
      requestId = text
    }
    guard scanner.passes(#","error":null"#) else { return nil }
    return .modelCallEnded(ModelCallEnded(usage: usage, cost: cost, requestId: requestId))
  }

  private func assistantMessage(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","message_id":"#), let messageId = try scanner.exactString(),
      let message = try message(&scanner)
    else { return nil }
    var stopReason: StopReason?
    if scanner.passes(#","stop_reason":"#) {
      guard let text = try scanner.exactString() else { return nil }
      stopReason = StopReason(rawValue: text)
    }
    guard scanner.passes(#","interrupted":"#), let interrupted = try scanner.boolean(), let usage = try usage(&scanner)
    else { return nil }
    return .assistantMessage(
      AssistantMessage(
        messageId: messageId, message: message, stopReason: stopReason, interrupted: interrupted, usage: usage))
  }

  private func toolStarted(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","call":{"#), let call = try call(&scanner), scanner.passes(#","effect":"#),
      let effect = ToolEffect(written: try scanner.word())
    else { return nil }
    return .toolStarted(ToolStarted(call: call, effect: effect))
  }

  private mutating func toolFinished(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","call_id":"#), let callId = try scanner.exactString(),
      scanner.passes(#","name":"#), let word = try scanner.word(), let name = tool.text(word),
      scanner.passes(#","result":{"content":"#), let content = try blocks(&scanner),
      scanner.passes(#","is_error":"#), let isError = try scanner.boolean(), scanner.passes(#","code":"#)
    else { return nil }
    var code: ToolResult.Code?
    if try !scanner.isNull() {
      guard let text = try scanner.exactString() else { return nil }
      code = ToolResult.Code(rawValue: text)
    }
    guard scanner.passes(#"},"duration_ms":"#), let duration = try scanner.double() else { return nil }
    return .toolFinished(
      ToolFinished(
        callId: callId, name: name, result: ToolOutcome(content: content, isError: isError, code: code),
        durationMs: duration))
  }

  private func prompt(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","message_id":"#), let messageId = try scanner.exactString(),
      let message = try message(&scanner)
    else { return nil }
    var queueId: String?
    if scanner.passes(#","queue_id":"#) {
      guard let text = try scanner.exactString() else { return nil }
      queueId = text
    }
    return .prompt(Prompt(messageId: messageId, message: message, queueId: queueId))
  }

  private func runStarted(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","budget":"#), let budget = try Self.budget(&scanner),
      scanner.passes(#","reason":"#), let reason = try scanner.exactString()
    else { return nil }
    return .runStarted(RunStarted(budget: budget, reason: reason))
  }

  private func finished(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    guard scanner.passes(#","iterations":"#), let iterations = try scanner.int(),
      scanner.passes(#","reason":"#), let text = try scanner.exactString(), let reason = FinishReason(rawValue: text),
      let usage = try usage(&scanner), scanner.passes(#","cost":"#), let cost = try number(&scanner)
    else { return nil }
    return .finished(Finished(iterations: iterations, reason: reason, usage: usage, cost: cost))
  }

  // MARK: - Values

  private static func budget(_ scanner: inout JSONScanner) throws(JSONError) -> Budget? {
    let value = try scanner.value()
    // The general way says what is wrong.
    do { return try Budget(json: value) } catch { return nil }
  }

  /// A number or `null`, which is nil inside; nil for anything else.
  private func number(_ scanner: inout JSONScanner) throws(JSONError) -> Double?? {
    if try scanner.isNull() { return .some(nil) }
    guard let number = try scanner.double() else { return .none }
    return .some(number)
  }

  private func usage(_ scanner: inout JSONScanner) throws(JSONError) -> Usage? {
    guard scanner.passes(#","usage":{"input":"#), let input = try scanner.int(),
      scanner.passes(#","cached_input":"#), let cachedInput = try scanner.int(),
      scanner.passes(#","cache_write":"#), let cacheWrite = try scanner.int(),
      scanner.passes(#","output":"#), let output = try scanner.int(),
      scanner.passes(#","reasoning":"#), let reasoning = try scanner.int(),
      scanner.passes(#","total":"#), try scanner.int() != nil, scanner.passes("}")
    else { return nil }
    return Usage(
      input: input, cachedInput: cachedInput, cacheWrite: cacheWrite, output: output, reasoning: reasoning)
  }

  private func message(_ scanner: inout JSONScanner) throws(JSONError) -> Message? {
    guard scanner.passes(#","message":{"role":"#), let text = try scanner.exactString(),
      let role = Message.Role(rawValue: text), scanner.passes(#","content":"#), let content = try blocks(&scanner),
      scanner.passes("}")
    else { return nil }
    return Message(role: role, content: content)
  }

  private func blocks(_ scanner: inout JSONScanner) throws(JSONError) -> [ContentBlock]? {
    guard scanner.passes("[") else { return nil }
    if scanner.passes("]") { return [] }
    var blocks: [ContentBlock] = []
    repeat {
      guard let block = try block(&scanner) else { return nil }
      blocks.append(block)
    } while scanner.passes(",")
    return scanner.passes("]") ? blocks : nil
  }

  private func block(_ scanner: inout JSONScanner) throws(JSONError) -> ContentBlock? {
    if scanner.passes(#"{"type":"text","text":"#) {
      guard let text = try scanner.exactString(), scanner.passes("}") else { return nil }
      return .text(text)
    }
    guard scanner.passes(#"{"type":"tool_call","#) else { return nil }
    return try call(&scanner).map { .toolCall($0) }
  }

  /// Reads the members of a call, to the end of its object.
  private func call(_ scanner: inout JSONScanner) throws(JSONError) -> ToolCall? {
    guard scanner.passes(#""id":"#), let id = try scanner.exactString(),
      scanner.passes(#","name":"#), let name = try scanner.exactString(),
      scanner.passes(#","arguments":"#), case .object(let arguments) = try scanner.value(), scanner.passes("}")
    else { return nil }
    return ToolCall(id: id, name: name, arguments: .object(arguments))
  }
}

extension ToolEffect {
  fileprivate init?(written word: JSONScanner.Word?) {
    switch word {
    case "read_only"?: self = .readOnly
    case "idempotent"?: self = .idempotent
    case "once"?: self = .once
    default: return nil
    }
  }
}
