import Martlet
import MartletJSON

/// A session of ordinary shape: questions, each with turns of tools and an answer. Its texts are of lower-case words, so that
/// they are indexed as they are.
struct SampleSession {
  static let name = "01kbenchmark0session000000"
  private var records: [EventRecord] = []

  static func records(_ count: Int, resultBytes: Int = 300, compactsEvery: Int? = nil) -> [EventRecord] {
    var sample = SampleSession()
    sample.fill(count, resultBytes, compactsEvery)
    return Array(sample.records.prefix(count))
  }

  private mutating func add(_ event: AgentEvent, run: String? = nil) {
    let seq = records.count + 1
    records.append(
      EventRecord(
        seq: seq, time: Timestamp(milliseconds: 1_796_000_000_000 + Int64(seq) * 20), session: Self.name, run: run,
        event: event))
  }

  private mutating func fill(_ count: Int, _ resultBytes: Int, _ compactsEvery: Int?) {
    records.reserveCapacity(count + 64)
    add(.sessionCreated(SessionCreated(owner: "local", title: "benchmark")))
    add(
      .context(
        PromptContext(instructions: [.text("be brief")], tools: [], model: "anthropic/claude-sonnet-4-5", epoch: 1)))
    var question = 0
    var lastCompaction = 2
    while records.count < count {
      question += 1
      let run = "01kbenchrun\(String(question + 1_000_000).dropFirst())000000000"
      add(.runStarted(RunStarted(budget: Budget(iterations: 25))), run: run)
      add(
        .prompt(
          Prompt(
            messageId: "01kbenchprompt\(question)0000",
            message: .user("question \(question) about the files of the project"))),
        run: run)
      for turn in 1...4 {
        turnOfTools(question, turn, run, resultBytes, isLast: turn == 4)
      }
      add(
        .finished(Finished(iterations: 4, reason: .answered, usage: Usage(input: 9_000, output: 600), cost: 0.036)),
        run: run)
      if let compactsEvery, records.count - lastCompaction >= compactsEvery {
        add(
          .compacted(
            Compacted(
              policy: "summary", fromSeq: 3, toSeq: records.count - 20,
              summary: [.text("what was done so far, in short")], reason: "context", epoch: question)))
        lastCompaction = records.count
      }
    }
  }

  private mutating func turnOfTools(_ question: Int, _ turn: Int, _ run: String, _ resultBytes: Int, isLast: Bool) {
    let message = "01kbenchreply\(question)0\(turn)000000"
    let usage = Usage(input: 2_300 + turn, cachedInput: 2_000, output: 150)
    add(.iterationStarted(turn), run: run)
    add(
      .modelCall(
        ModelCallStarted(
          model: "anthropic/claude-sonnet-4-5", messageId: message, reserved: Reservation(tokens: 6_400, usd: 0.02))),
      run: run)
    add(.modelCallEnded(ModelCallEnded(usage: usage, cost: 0.0091, requestId: "req_011CSHoEeqs5C35K2UUqR7F")), run: run)
    let call = ToolCall(
      id: "call_\(String(question * 10 + turn, radix: 36))", name: "read_file",
      arguments: ["path": .string("sources/main/part\(question)/file\(turn).swift"), "limit": 200])
    let text = isLast ? "the answer to question \(question) is in the second file" : "let me look at file \(turn)"
    add(
      .assistantMessage(
        AssistantMessage(
          messageId: message, message: .assistant(text: text, toolCalls: isLast ? [] : [call]),
          stopReason: isLast ? .endTurn : .toolUse, usage: usage)), run: run)
    if isLast { return }
    add(.toolStarted(ToolStarted(call: call, effect: .readOnly)), run: run)
    // Numbers, so that no two results are the same.
    var result = "line \(question) \(turn)"
    result.reserveCapacity(resultBytes)
    while result.utf8.count < resultBytes { result += " some more words of the file" }
    add(
      .toolFinished(
        ToolFinished(ToolResult(callId: call.id, name: call.name, content: [.text(result)]), durationMs: 3.25)),
      run: run)
  }
}
