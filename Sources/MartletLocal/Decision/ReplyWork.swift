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
  /// How many tokens of the prompt other requests share: up to the tools, and with them.
  private var stableLengths: [Int] = []
  /// Text that was written for the model, and is part of the reply.
  private var begun = ""

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

  /// Whether the reply is complete. Read only between steps.
  var isDone: Bool { phase == .done }

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
    let grammar = try answerGrammar()
    if let events = try decideCalls(context) { return events }
    prompt = tokens(conversation.turns(closing: closing))
    recall(context)
    let taken = try context.read(prompt)
    if generated == 0 && reused == 0 { reused = taken }
    if !request.tools.isEmpty, grammar == nil { try avoidCallMarkup(context) }
    generation = Generation(
      context,
      options: GenerationOptions(
        sampling: sampling, maximumTokens: max(1, limit - generated),
        stops: profile.format.stops + request.options.stopSequences),
      grammar: grammar)
    phase = .text
    return try continueText(context)
  }

  /// What is said at the end of the prompt for an answer, where that helps.
  private var closing: String? {
    if request.outputSchema != nil { return "Now answer, as JSON in the form asked for." }
    if conversation.occasion == .results { return profile.afterResults }
    return request.tools.isEmpty ? nil : profile.withoutCall
  }

  /// What an answer with a schema is held to.
  private func answerGrammar() throws -> TokenGrammar? {
    guard let schema = request.outputSchema else { return nil }
    do {
      return try TokenGrammar(SchemaGrammar.text(schema), model: model)
    } catch let error as SchemaGrammarError {
      throw ModelError(
        code: .unsupported, message: "The schema of the answer cannot be made into a grammar: \(error)",
        underlying: error)
    }
  }

  private func tokens(_ turns: [ChatFormat.Turn]) -> [Token] {
    (model.startToken.map { [$0] } ?? []) + profile.format.render(turns).tokens(model)
  }

  /// Takes the prompt's stable beginning from what was kept.
  private func recall(_ context: EngineContext) {
    guard context.promptCache != nil else { return }
    stableLengths = conversation.stableTurns.map { turns in zip(tokens(turns), prompt).prefix { $0 == $1 }.count }
    context.recall(prompt, lengths: stableLengths)
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
    prompt = tokens(conversation.turns())
    recall(context)
    let habit = try habits.value(for: blank, names: names) {
      if let kept = context.promptCache?.scores(of: names, after: blank) { return kept }
      let scores = try ReplyPlace(context: context, prompt: blank, written: "").logProbabilities(of: names)
      context.promptCache?.keep(scores: scores, of: names, after: blank)
      return scores
    }
    reused = zip(context.tokens, prompt).prefix { $0 == $1 }.count
    var place = ReplyPlace(context: context, prompt: prompt + open, written: "")
    let named = try place.logProbabilities(of: names)
    var evidence = chooser.evidence(said: conversation.said, named: named, namedWithout: habit)
    guard let best = chooser.best(evidence) else { return nil }
    var mostFavourable = evidence[best]
    (mostFavourable.grounding, mostFavourable.leastGrounding) = (1, 1)
    // No arguments could tip the scales: spare the work of writing them.
    if !isForced, profile.rule.logOdds(mostFavourable) < 0 { return nil }

    let writer = writer(tools[best])
    let first = try writer.write(at: &place, limit: limit, counting: &generated)
    evidence[best].weigh(first)
    if !isForced, profile.rule.logOdds(evidence[best]) < 0 { return nil }
    firstToken = clock.now
    var calls = [(tools[best], first)]
    if request.options.parallelToolCalls != false {
      let parts = tools.count > 1 ? QuestionParts(conversation.lastSaid).parts : []
      let deferred = try writeMore(&calls, at: &place, tools: tools, parts: parts)
      try writeForOpenParts(&calls, parts, context, chooser: chooser, habit: habit)
      for (tool, call) in deferred where saysNew(call, beside: calls) { calls.append((tool, call)) }
    }
    return finish(calls, context)
  }

  /// Calls for the parts of the question that no call has taken anything from, each decided as if it had been asked
  /// alone: asked two things at once, a small model names a tool for one and forgets the other. Only another tool is
  /// called so; several calls of one tool are the work of `writeMore`.
  private func writeForOpenParts(
    _ calls: inout [(ToolDefinition, CallWriter.Result)], _ parts: [String], _ context: EngineContext,
    chooser: ToolChooser, habit: [Double]
  ) throws {
    let tools = chooser.tools
    guard (2...8).contains(parts.count), calls.allSatisfy(\.1.isComplete) else { return }
    let open = model.tokens(in: conversation.dialect.open, markup: true)
    for part in parts where generated < limit && isOpen(part, beside: calls) {
      var place = ReplyPlace(
        context: context, prompt: tokens(conversation.turns(saying: part)) + open, written: "")
      let named = try place.logProbabilities(of: tools.map { conversation.dialect.callStart($0.name) })
      var evidence = chooser.evidence(said: part, named: named, namedWithout: habit)
      guard let best = chooser.best(evidence), !calls.contains(where: { $0.0.name == tools[best].name }) else {
        continue
      }
      let call = try writer(tools[best], said: part).write(at: &place, limit: limit, counting: &generated)
      evidence[best].weigh(call)
      // Values that other calls have taken already were not said in this part.
      guard call.isComplete, call.arguments.isEmpty || saysNew(call, beside: calls) else { continue }
      if profile.rule.logOdds(evidence[best]) >= 0 { calls.append((tools[best], call)) }
    }
  }

  /// Whether no call has taken anything from a part of the question.
  private func isOpen(_ part: String, beside calls: [(ToolDefinition, CallWriter.Result)]) -> Bool {
    let asked = Atoms(part)
    return calls.allSatisfy { $0.1.atoms.intersection(asked).count == 0 }
  }

  /// Whether a call takes something from the question that no other one has taken.
  private func saysNew(_ call: CallWriter.Result, beside calls: [(ToolDefinition, CallWriter.Result)]) -> Bool {
    unused(beside: calls).intersection(call.atoms).count > 0
  }

  /// What the question says that no call has taken.
  private func unused(beside calls: [(ToolDefinition, CallWriter.Result)]) -> Atoms {
    var used = Atoms()
    for call in calls { used.formUnion(call.1.atoms) }
    return Atoms(conversation.said).subtracting(used)
  }

  /// After results a call is made only when the model starts one although it was asked to answer, and only one it has
  /// not made since the user spoke.
  private func callsAfterResults(_ context: EngineContext, tools: [ToolDefinition]) throws -> [ModelEvent]? {
    let dialect = conversation.dialect
    guard !dialect.open.isEmpty else { return nil }
    prompt = tokens(conversation.turns(closing: closing))
    recall(context)
    reused = zip(context.tokens, prompt).prefix { $0 == $1 }.count
    try context.read(prompt)
    let open = model.tokens(in: dialect.open, markup: true)
    let likelihood = try context.logProbabilities(ofContinuations: [open])[0].reduce(0, +)
    guard likelihood > -0.7 else { return nil }  // one half
    var place = ReplyPlace(context: context, prompt: prompt + open, written: "")
    let named = try place.logProbabilities(of: tools.map { dialect.callStart($0.name) })
    guard let best = named.indices.max(by: { named[$0] < named[$1] }) else { return nil }
    let call = try writer(tools[best]).write(at: &place, limit: limit, counting: &generated)
    let isRepeated = conversation.callsSinceUser.contains {
      $0.name == tools[best].name && $0.arguments == .object(call.arguments)
    }
    guard call.isComplete, !isRepeated else { return nil }
    firstToken = clock.now
    return finish([(tools[best], call)], context)
  }

  /// - Parameter said: where values may come from; nil for all that was said.
  private func writer(_ tool: ToolDefinition, said: String? = nil) -> CallWriter {
    CallWriter(
      tool: tool, dialect: conversation.dialect, grounding: Grounding(said ?? conversation.said),
      sampling: sampling)
  }

  /// How much less likely than the end of the reply a further call may be to be tried. Measured on parallel cases that
  /// are not scored (Qwen2.5-Coder-0.5B, natural logarithm): calls that were asked for reach down to -9.6, and once all
  /// are made the next one starts at -12.3.
  private static let reluctance = -11.0
  /// How many tools are tried for one further call.
  private static let attempts = 2

  /// Further calls, as long as the model wants them and they say something new.
  ///
  /// What the model goes on with after a call is weak evidence for another tool: where a part of the question is
  /// still open, it is first asked by itself which tool is for it.
  /// - Returns: the calls of other tools that are to wait for that.
  private func writeMore(
    _ calls: inout [(ToolDefinition, CallWriter.Result)], at place: inout ReplyPlace, tools: [ToolDefinition],
    parts: [String]
  ) throws -> [(ToolDefinition, CallWriter.Result)] {
    let dialect = conversation.dialect
    var deferred: [(ToolDefinition, CallWriter.Result)] = []
    let open = (2...8).contains(parts.count) ? parts : []
    while calls.count < 16, calls.last?.1.isComplete == true, generated < limit {
      let unused = unused(beside: calls)
      let tools = tools.filter { unused.mayHaveValue(of: $0.parameters) }
      if tools.isEmpty { break }
      let before = place.written
      let starts = tools.map { dialect.separator + dialect.callStart($0.name) }
      let scores = try place.logProbabilities(of: [dialect.close] + starts)
      let likely = scores.indices.dropFirst().filter { scores[$0] - scores[0] > Self.reluctance }
        .sorted { scores[$0] > scores[$1] }
      var next: (ToolDefinition, CallWriter.Result)?
      for choice in likely.prefix(Self.attempts) where next == nil && generated < limit {
        place.written = before + dialect.separator
        let tool = tools[choice - 1]
        let call = try writer(tool).write(at: &place, limit: limit, counting: &generated)
        let isRepeated = calls.contains { $0.0.name == tool.name && $0.1.arguments == call.arguments }
        guard call.isComplete, !isRepeated, saysNew(call, beside: calls), (call.grounding.min() ?? 1) >= 0.5 else {
          continue
        }
        let isAnother = !calls.contains { $0.0.name == tool.name }
        if isAnother,
          open.contains(where: { call.atoms.intersection(Atoms($0)).count > 0 && isOpen($0, beside: calls) })
        {
          deferred.append((tool, call))
        } else {
          next = (tool, call)
        }
      }
      guard let next else {
        place.written = before
        break
      }
      calls.append(next)
    }
    return deferred
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

  /// Where the model would start with a call although none is to be made, its best other word is written for it.
  private func avoidCallMarkup(_ context: EngineContext) throws {
    let marks = [conversation.dialect.open, "```", "{"].filter { !$0.isEmpty }
    let token = try context.withLogits { logits -> Token? in
      for candidate in TokenSampler.ranked(logits, limit: 16) {
        let text = model.text(of: [candidate.token], markup: true)
        let start = text.drop { $0.isWhitespace }
        if model.endsReply(candidate.token) || start.isEmpty { continue }
        if !marks.contains(where: { $0.hasPrefix(start.prefix(3)) || start.hasPrefix($0.prefix(3)) }) {
          return candidate.token == Token(logits.indexOfMaximum()) ? nil : candidate.token
        }
      }
      return nil
    }
    guard let token else { return }
    try context.feed([token])
    prompt.append(token)
    begun = model.text(of: [token])
  }

  private func continueText(_ context: EngineContext) throws -> [ModelEvent] {
    guard var generation else { return [] }
    // Another reply may have used the context since the last step.
    let read = prompt + generation.tokens.dropLast()
    if context.tokens != read { try context.read(read) }
    defer { self.generation = generation }
    while true {
      var piece = try generation.next()
      if !begun.isEmpty {
        piece = begun + (piece ?? "")
        begun = ""
      }
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
    context.keep(prompt, lengths: stableLengths)
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

extension CallRule.Evidence {
  /// Takes in how far a call's values were said.
  fileprivate mutating func weigh(_ call: CallWriter.Result) {
    // An optional value that was kept speaks for the call even where it is said in other words.
    let degrees = call.grounding.isEmpty ? call.optionalGrounding.map { max($0, 0.8) } : call.grounding
    hasSaidValue = degrees.contains { $0 >= 0.5 }
    guard !degrees.isEmpty else { return }
    grounding = degrees.reduce(0, +) / Double(degrees.count)
    leastGrounding = degrees.min() ?? 1
  }
}
