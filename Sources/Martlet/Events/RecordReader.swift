import MartletJSON

/// Reads the records that long logs are made of straight from their bytes, without a JSON value in between: opening a
/// session is mostly this.
///
/// Whatever is unusual it leaves to `EventRecord(json:)`: other events, unknown fields, fields in another order, values of
/// another kind. So both read the same.
package struct RecordReader {
  private var session = Repeated()
  private var run = Repeated()
  private var model = Repeated()
  private var tool = Repeated()

  package init() {}

  /// A text that most records have alike, kept so that it is made once.
  private struct Repeated {
    private var bytes: [UInt8] = []
    private var text = ""

    /// The text of a word; nil when it is not as it is written.
    mutating func text(_ word: JSONScanner.Word) -> String? {
      let new = word.bytes
      if new.elementsEqual(bytes) { return text }
      guard let plain = JSONScanner.plainText(word) else { return nil }
      (bytes, text) = (Array(new), plain)
      return text
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
    guard try scanner.enterObject() else { return nil }
    var (seq, time): (Int?, Timestamp?) = (nil, nil)
    var (session, run): (String?, String?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "seq":
        guard seq == nil, let value = try scanner.int() else { return nil }
        seq = value
      case "time":
        guard time == nil, let word = try scanner.word(), let value = Timestamp(utf8: word.bytes) else { return nil }
        time = value
      case "session":
        guard session == nil, let word = try scanner.word(), let value = self.session.text(word) else { return nil }
        session = value
      case "run":
        guard run == nil, let word = try scanner.word(), let value = self.run.text(word) else { return nil }
        run = value
      case "type":
        guard let seq, let time, let session, let type = try scanner.word(),
          let event = try event(type, &scanner), try scanner.isAtEnd()
        else { return nil }
        return EventRecord(seq: seq, time: time, session: session, run: run, event: event)
      default: return nil
      }
    }
    return nil
  }

  /// Reads the members that follow the type, to the end of the record.
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
    guard try scanner.nextMember(), scanner.isKey("iteration"), let iteration = try scanner.int(),
      try !scanner.nextMember()
    else { return nil }
    return .iterationStarted(iteration)
  }

  private mutating func modelCall(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (purpose, model, messageId): (ModelCallPurpose?, String?, String?) = (nil, nil, nil)
    var (attempt, reserved): (Int?, Reservation?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "purpose":
        guard purpose == nil, let word = try scanner.word() else { return nil }
        if case "turn" = word {
          purpose = .turn
        } else {
          return nil
        }
      case "model":
        guard model == nil, let word = try scanner.word(), let text = self.model.text(word) else { return nil }
        model = text
      case "attempt":
        guard attempt == nil, let value = try scanner.int() else { return nil }
        attempt = value
      case "message_id":
        guard try scanner.take(&messageId) else { return nil }
      case "reserved":
        guard reserved == nil, let value = try reservation(&scanner) else { return nil }
        reserved = value
      default: return nil
      }
    }
    guard let purpose, let model, let attempt, let messageId, let reserved else { return nil }
    return .modelCall(
      ModelCallStarted(purpose: purpose, model: model, attempt: attempt, messageId: messageId, reserved: reserved))
  }

  private func modelCallEnded(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (usage, cost, requestId): (Usage?, Double?, String?) = (nil, nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "usage":
        guard usage == nil, let value = try self.usage(&scanner) else { return nil }
        usage = value
      case "cost":
        guard cost == nil else { return nil }
        if try !scanner.isNull() {
          guard let value = try scanner.value().doubleValue else { return nil }
          cost = value
        }
      case "request_id":
        guard try scanner.take(&requestId) else { return nil }
      case "error": guard try scanner.isNull() else { return nil }
      default: return nil
      }
    }
    guard let usage else { return nil }
    return .modelCallEnded(ModelCallEnded(usage: usage, cost: cost, requestId: requestId))
  }

  private func assistantMessage(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (messageId, message, stopReason): (String?, Message?, StopReason?) = (nil, nil, nil)
    var (interrupted, usage): (Bool?, Usage?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "message_id":
        guard try scanner.take(&messageId) else { return nil }
      case "message":
        guard message == nil, let value = try self.message(&scanner) else { return nil }
        message = value
      case "stop_reason":
        guard stopReason == nil, let text = try scanner.exactString() else { return nil }
        stopReason = StopReason(rawValue: text)
      case "interrupted":
        guard interrupted == nil, let value = try scanner.boolean() else { return nil }
        interrupted = value
      case "usage":
        guard usage == nil, let value = try self.usage(&scanner) else { return nil }
        usage = value
      default: return nil
      }
    }
    guard let messageId, let message, let interrupted, let usage else { return nil }
    return .assistantMessage(
      AssistantMessage(
        messageId: messageId, message: message, stopReason: stopReason, interrupted: interrupted, usage: usage))
  }

  private mutating func toolStarted(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (call, effect): (ToolCall?, ToolEffect?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "call":
        guard call == nil, try scanner.enterObject(), let value = try self.call(&scanner) else { return nil }
        call = value
      case "effect":
        guard effect == nil, let word = try scanner.word() else { return nil }
        switch word {
        case "read_only": effect = .readOnly
        case "idempotent": effect = .idempotent
        case "once": effect = .once
        default: return nil
        }
      default: return nil
      }
    }
    guard let call, let effect else { return nil }
    return .toolStarted(ToolStarted(call: call, effect: effect))
  }

  private mutating func toolFinished(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (callId, name): (String?, String?) = (nil, nil)
    var (result, duration): (ToolOutcome?, Double?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "call_id":
        guard try scanner.take(&callId) else { return nil }
      case "name":
        guard name == nil, let word = try scanner.word(), let text = tool.text(word) else { return nil }
        name = text
      case "result":
        guard result == nil, let value = try outcome(&scanner) else { return nil }
        result = value
      case "duration_ms":
        guard duration == nil, let value = try scanner.value().doubleValue else { return nil }
        duration = value
      default: return nil
      }
    }
    guard let callId, let name, let result, let duration else { return nil }
    return .toolFinished(ToolFinished(callId: callId, name: name, result: result, durationMs: duration))
  }

  private func prompt(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (messageId, message, queueId): (String?, Message?, String?) = (nil, nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "message_id":
        guard try scanner.take(&messageId) else { return nil }
      case "message":
        guard message == nil, let value = try self.message(&scanner) else { return nil }
        message = value
      case "queue_id":
        guard try scanner.take(&queueId) else { return nil }
      default: return nil
      }
    }
    guard let messageId, let message else { return nil }
    return .prompt(Prompt(messageId: messageId, message: message, queueId: queueId))
  }

  private func runStarted(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (budget, reason): (Budget?, String?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "budget":
        guard budget == nil, let value = try? Budget(json: try scanner.value()) else { return nil }
        budget = value
      case "reason":
        guard try scanner.take(&reason) else { return nil }
      default: return nil
      }
    }
    guard let budget, let reason else { return nil }
    return .runStarted(RunStarted(budget: budget, reason: reason))
  }

  private func finished(_ scanner: inout JSONScanner) throws(JSONError) -> AgentEvent? {
    var (iterations, reason): (Int?, FinishReason?) = (nil, nil)
    var (usage, cost): (Usage?, Double?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "iterations":
        guard iterations == nil, let value = try scanner.int() else { return nil }
        iterations = value
      case "reason":
        guard reason == nil, let text = try scanner.exactString(), let value = FinishReason(rawValue: text) else {
          return nil
        }
        reason = value
      case "usage":
        guard usage == nil, let value = try self.usage(&scanner) else { return nil }
        usage = value
      case "cost":
        guard cost == nil else { return nil }
        if try !scanner.isNull() {
          guard let value = try scanner.value().doubleValue else { return nil }
          cost = value
        }
      default: return nil
      }
    }
    guard let iterations, let reason, let usage else { return nil }
    return .finished(Finished(iterations: iterations, reason: reason, usage: usage, cost: cost))
  }

  // MARK: - Values

  private func reservation(_ scanner: inout JSONScanner) throws(JSONError) -> Reservation? {
    guard try scanner.enterObject() else { return nil }
    var (tokens, usd): (Int?, Double?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "tokens":
        guard tokens == nil, let value = try scanner.int() else { return nil }
        tokens = value
      case "usd":
        guard usd == nil else { return nil }
        if try !scanner.isNull() {
          guard let value = try scanner.value().doubleValue else { return nil }
          usd = value
        }
      default: return nil
      }
    }
    guard let tokens else { return nil }
    return Reservation(tokens: tokens, usd: usd)
  }

  private func usage(_ scanner: inout JSONScanner) throws(JSONError) -> Usage? {
    guard try scanner.enterObject() else { return nil }
    var usage = Usage(input: -1, cachedInput: -1, cacheWrite: -1, output: -1, reasoning: -1)
    while try scanner.nextMember() {
      let key = scanner.keyWord
      guard let value = try scanner.int(), value >= 0 else { return nil }
      switch key {
      case "input" where usage.input < 0: usage.input = value
      case "cached_input" where usage.cachedInput < 0: usage.cachedInput = value
      case "cache_write" where usage.cacheWrite < 0: usage.cacheWrite = value
      case "output" where usage.output < 0: usage.output = value
      case "reasoning" where usage.reasoning < 0: usage.reasoning = value
      case "total": break
      default: return nil
      }
    }
    guard usage.input >= 0, usage.cachedInput >= 0, usage.cacheWrite >= 0, usage.output >= 0, usage.reasoning >= 0
    else { return nil }
    return usage
  }

  private func outcome(_ scanner: inout JSONScanner) throws(JSONError) -> ToolOutcome? {
    guard try scanner.enterObject() else { return nil }
    var (content, isError): ([ContentBlock]?, Bool?) = (nil, nil)
    var code: ToolResult.Code?
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "content":
        guard content == nil, let value = try blocks(&scanner) else { return nil }
        content = value
      case "is_error":
        guard isError == nil, let value = try scanner.boolean() else { return nil }
        isError = value
      case "code":
        guard code == nil else { return nil }
        if try !scanner.isNull() {
          guard let text = try scanner.exactString() else { return nil }
          code = ToolResult.Code(rawValue: text)
        }
      default: return nil
      }
    }
    guard let content, let isError else { return nil }
    return ToolOutcome(content: content, isError: isError, code: code)
  }

  private func message(_ scanner: inout JSONScanner) throws(JSONError) -> Message? {
    guard try scanner.enterObject() else { return nil }
    var (role, content): (Message.Role?, [ContentBlock]?) = (nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "role":
        guard role == nil, let text = try scanner.exactString(), let value = Message.Role(rawValue: text) else {
          return nil
        }
        role = value
      case "content":
        guard content == nil, let value = try blocks(&scanner) else { return nil }
        content = value
      default: return nil
      }
    }
    guard let role, let content else { return nil }
    return Message(role: role, content: content)
  }

  private func blocks(_ scanner: inout JSONScanner) throws(JSONError) -> [ContentBlock]? {
    guard try scanner.enterArray() else { return nil }
    var blocks: [ContentBlock] = []
    while try scanner.nextElement() {
      guard let block = try block(&scanner) else { return nil }
      blocks.append(block)
    }
    return blocks
  }

  private func block(_ scanner: inout JSONScanner) throws(JSONError) -> ContentBlock? {
    guard try scanner.enterObject(), try scanner.nextMember(), scanner.isKey("type"), let type = try scanner.word()
    else { return nil }
    switch type {
    case "text":
      guard try scanner.nextMember(), scanner.isKey("text"), let text = try scanner.exactString(),
        try !scanner.nextMember()
      else { return nil }
      return .text(text)
    case "tool_call":
      return try call(&scanner).map { .toolCall($0) }
    default: return nil
    }
  }

  /// Reads the members of a call, to the end of its object.
  private func call(_ scanner: inout JSONScanner) throws(JSONError) -> ToolCall? {
    var (id, name, arguments): (String?, String?, JSONObject?) = (nil, nil, nil)
    while try scanner.nextMember() {
      switch scanner.keyWord {
      case "id":
        guard try scanner.take(&id) else { return nil }
      case "name":
        guard try scanner.take(&name) else { return nil }
      case "arguments":
        guard arguments == nil, case .object(let object) = try scanner.value() else { return nil }
        arguments = object
      default: return nil
      }
    }
    guard let id, let name, let arguments else { return nil }
    return ToolCall(id: id, name: name, arguments: .object(arguments))
  }
}

extension JSONScanner {
  /// Reads a text that may come once; false where it came before or is no text.
  fileprivate mutating func take(_ place: inout String?) throws(JSONError) -> Bool {
    guard place == nil, let text = try exactString() else { return false }
    place = text
    return true
  }
}
