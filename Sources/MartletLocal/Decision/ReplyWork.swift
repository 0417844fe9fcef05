import Martlet
import MartletJSON

/// One reply, made step by step on the engine's thread: the decision for or against a call, then calls or text.
final class ReplyWork: @unchecked Sendable {  // touched only inside `Engine.withContext`, one step at a time
  private enum Phase {
    case start, text, done
  }

  private let request: ModelRequest
  private let conversation: Conversation
  private let model: EngineModel
  private let habits: HabitCache
  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  private var firstToken: ContinuousClock.Instant?

  private var phase = Phase.start
  private var prompt: [Token] = []
  private var reused = 0
  private var generated = 0
  private var index = 0
  private var text = ""
  private var generation: Generation?

  init(_ request: ModelRequest, profile: ModelProfile, model: EngineModel, habits: HabitCache) {
    self.request = request
    self.model = model
    self.habits = habits
    conversation = Conversation(request, profile: profile)
    started = clock.now
  }

  private var profile: ModelProfile { conversation.profile }
  private var limit: Int { request.options.maxOutputTokens ?? 4096 }
  private var sampling: Sampling {
    var sampling = Sampling(temperature: request.options.temperature ?? 0)
    if let topP = request.options.topP { sampling.topP = topP }
    sampling.seed = request.options.seed.map { UInt64(bitPattern: Int64($0)) }
    return sampling
  }

  /// The next events; `nil` when the reply is complete.
  func step(_ context: EngineContext) throws -> [ModelEvent]? {
    switch phase {
    case .start: return try begin(context)
    case .text: return try continueText(context)
    case .done: return nil
    }
  }

  // MARK: Calls

  private func begin(_ context: EngineContext) throws -> [ModelEvent] {
    if let events = try decideCalls(context) { return events }
    let closing: String? =
      if conversation.occasion == .results { profile.afterResults } else if request.tools.isEmpty { nil } else {
        profile.withoutCall
      }
    prompt = tokens(conversation.turns(closing: closing))
    let taken = try context.read(prompt)
    if generated == 0 && reused == 0 { reused = taken }
    generation = Generation(
      context,
      options: GenerationOptions(
        sampling: sampling, maximumTokens: max(1, limit - generated),
        stops: profile.format.stops + request.options.stopSequences))
    phase = .text
    return try continueText(context)
  }

  private func tokens(_ turns: [ChatFormat.Turn]) -> [Token] {
    (model.startToken.map { [$0] } ?? []) + profile.format.render(turns).tokens(model)
  }

  /// The events of the calls, or `nil` when the reply is to be text.
  private func decideCalls(_ context: EngineContext) throws -> [ModelEvent]? {
    var tools = request.tools
    var isForced = false
    switch request.options.toolChoice {
    case .none: return nil
    case .auto: break
    case .required: isForced = true
    case .tool(let name):
      tools = tools.filter { $0.name == name }
      guard !tools.isEmpty else {
        throw ModelError(code: .invalidRequest, message: "There is no tool named \(name).")
      }
      isForced = true
    }
    guard !tools.isEmpty else { return nil }
    let dialect = conversation.dialect
    if conversation.occasion == .results && !isForced { return try callsAfterResults(context, tools: tools) }

    let open = model.tokens(in: dialect.open, markup: true)
    let chooser = ToolChooser(tools, rule: profile.rule)
    let names = tools.map { dialect.callStart($0.name) }
    let blank = tokens(conversation.blankTurns) + open
    let habit = try habits.value(for: blank, names: names) {
      try ReplyPlace(context: context, prompt: blank, written: "").logProbabilities(of: names)
    }
    prompt = tokens(conversation.turns())
    reused = zip(context.tokens, prompt).prefix { $0 == $1 }.count
    var place = ReplyPlace(context: context, prompt: prompt + open, written: "")
    let named = try place.logProbabilities(of: names)
    var evidence = chooser.evidence(said: conversation.said, named: named, namedWithout: habit)
    guard let best = chooser.best(evidence) else { return nil }

    let writer = writer(tools[best])
    let first = try writer.write(at: &place, limit: limit, counting: &generated)
    if !first.grounding.isEmpty {
      evidence[best].grounding = first.grounding.reduce(0, +) / Double(first.grounding.count)
      evidence[best].leastGrounding = first.grounding.min() ?? 1
    }
    trace?("\(tools[best].name) \(evidence[best]) \(profile.rule.logOdds(evidence[best])) \(first.text)")
    if !isForced, profile.rule.logOdds(evidence[best]) < 0 { return nil }
    firstToken = clock.now
    var calls = [(tools[best], first)]
    if request.options.parallelToolCalls != false {
      try writeMore(&calls, at: &place, tools: tools)
    }
    return finish(calls, context)
  }

  var trace: ((String) -> Void)?

  private func callsAfterResults(_ context: EngineContext, tools: [ToolDefinition]) throws -> [ModelEvent]? {
    nil
  }

  private func writer(_ tool: ToolDefinition) -> CallWriter {
    CallWriter(
      tool: tool, dialect: conversation.dialect, limits: .init(), grounding: Grounding(conversation.said),
      sampling: sampling)
  }

  /// Further calls, as long as the model wants them and they say something new.
  private func writeMore(
    _ calls: inout [(ToolDefinition, CallWriter.Result)], at place: inout ReplyPlace, tools: [ToolDefinition]
  ) throws {
    let dialect = conversation.dialect
    while calls.count < 16, calls.last?.1.isComplete == true, generated < limit {
      let before = place.written
      let starts = tools.map { dialect.separator + dialect.callStart($0.name) }
      let scores = try place.logProbabilities(of: [dialect.close] + starts)
      trace?("more? \(scores)")
      guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best > 0 else { return }
      place.written += dialect.separator
      let call = try writer(tools[best - 1]).write(at: &place, limit: limit, counting: &generated)
      let isRepeated = calls.contains { $0.0.name == tools[best - 1].name && $0.1.arguments == call.arguments }
      trace?("then \(call.text)")
      guard call.isComplete, !isRepeated else {
        place.written = before
        return
      }
      calls.append((tools[best - 1], call))
    }
  }

  private func finish(_ calls: [(ToolDefinition, CallWriter.Result)], _ context: EngineContext) -> [ModelEvent] {
    var events: [ModelEvent] = []
    var isComplete = true
    for (tool, result) in calls {
      let arguments: ToolCall.Arguments =
        result.isComplete
        ? .object(result.arguments)
        : .unparsed(text: result.text, reason: "the reply was cut off at its limit of tokens")
      isComplete = isComplete && result.isComplete
      let call = ToolCall(id: ToolCall.makeId(), name: tool.name, arguments: arguments)
      let text = result.isComplete ? JSONValue.object(result.arguments).text() : result.text
      events.append(.toolCallDelta(ToolCallDelta(id: call.id, name: call.name, arguments: text), index: index))
      events.append(.block(.toolCall(call), index: index))
      index += 1
    }
    return events + end(isComplete ? .toolUse : .maxTokens, context)
  }

  // MARK: Text

  private func continueText(_ context: EngineContext) throws -> [ModelEvent] {
    guard var generation else { return [] }
    // Another reply may have used the context since the last step.
    let read = prompt + generation.tokens.dropLast()
    if context.tokens != read { try context.read(read) }
    defer { self.generation = generation }
    while true {
      let piece = try generation.next()
      let isFirst = firstToken == nil
      if isFirst { firstToken = clock.now }
      guard let piece else { break }
      if piece.isEmpty { continue }
      text += piece
      let event = ModelEvent.text(piece, index: index)
      return isFirst ? [.metrics(metrics(context, generated + generation.tokens.count)), event] : [event]
    }
    generated += generation.tokens.count
    var events: [ModelEvent] = []
    if !text.isEmpty { events.append(.block(.text(text), index: index)) }
    let reason: StopReason =
      switch generation.finish {
      case .length: .maxTokens
      case .context: .contextWindowExceeded
      case .stop(let stop) where request.options.stopSequences.contains(stop): .stopSequence
      default: .endTurn
      }
    return events + end(reason, context)
  }

  private func end(_ reason: StopReason, _ context: EngineContext) -> [ModelEvent] {
    phase = .done
    var metrics = metrics(context, generated)
    metrics.finished = true
    metrics.stopReason = reason.rawValue
    return [
      .metrics(metrics),
      .finished(reason, Usage(input: prompt.count, cachedInput: min(reused, prompt.count), output: generated)),
    ]
  }

  private func metrics(_ context: EngineContext, _ generated: Int) -> Metrics {
    let first = firstToken ?? clock.now
    let seconds = (clock.now - first) / .seconds(1)
    return Metrics(
      promptTokens: prompt.count, reusedTokens: min(reused, prompt.count), generatedTokens: generated,
      ttftMs: (first - started) / .milliseconds(1),
      tokensPerSecond: seconds > 0 && generated > 1 ? Double(generated - 1) / seconds : 0,
      contextUsed: context.tokens.count, contextMax: context.capacity)
  }
}
