/// A place in a reply: a prompt, and what was written after it.
///
/// What is written is tokenized anew as a whole at each step, so that the model sees the tokens it would have made
/// itself, whoever wrote the text; what did not change stays in the cache.
struct ReplyPlace {
  let context: EngineContext
  let prompt: [Token]
  /// The reply so far.
  var written: String

  /// How the writing of a text came to its end.
  enum Ending {
    case complete
    /// All tokens that it might have are used.
    case limit
    /// The model repeats itself.
    case stuck
  }

  var model: EngineModel { context.model }

  private func tokens(_ text: String) -> [Token] {
    // The names of special tokens count only where they are tags of a call dialect, which stand at the start of a line.
    model.tokens(in: text)
  }

  /// Reads the prompt and what was written.
  func read() throws { try context.read(prompt + tokens(written)) }

  /// The log-probabilities of different ways to go on.
  func logProbabilities(of choices: [String]) throws -> [Double] {
    let written = tokens(written)
    let whole = choices.map { tokens(self.written + $0) }
    // Where a choice joins with the last written token, all start from the last token they share.
    var shared = written.count
    for tokens in whole { shared = min(shared, zip(written, tokens).prefix { $0 == $1 }.count) }
    shared = min(shared, (whole.map(\.count).min() ?? 1) - 1)
    try context.read(prompt + written.prefix(shared))
    return try context.logProbabilities(ofContinuations: whole.map { Array($0[shared...]) })
      .map { Double($0.reduce(0, +)) }
  }

  /// Writes what a grammar allows, until `done` says that it is complete; `draft` guesses what comes.
  /// - Returns: the text, and how it ended.
  mutating func write(
    grammar: String, options: GenerationOptions, draft: ValueDraft? = nil, counting count: inout Int,
    until done: (String) -> Bool
  ) throws -> (text: String, ending: Ending) {
    try read()
    var generation = Generation(
      context, options: options, grammar: try TokenGrammar(grammar, model: model),
      draft: draft.map { draft in { draft.rest(of: $0) } })
    var text = ""
    var ending = Ending.limit
    while ending == .limit, let piece = try generation.next() {
      text += piece
      if done(piece) { ending = .complete } else if Self.isStuck(text.utf8) { ending = .stuck }
    }
    if generation.finish == .ended { ending = .complete }
    count += generation.tokens.count
    written += text
    return (text, ending)
  }

  /// Whether a text has come to repeat itself: its last 96 bytes are one run of at most 12 bytes again and again, or its
  /// last 128 one of at most 32. A weak model that does never ends.
  static func isStuck(_ text: String.UTF8View) -> Bool {
    [(96, 12), (128, 32)].contains { length, longest in
      let tail = Array(text.suffix(length))
      return tail.count == length
        && (1...longest).contains { period in
          (period..<length).allSatisfy { tail[$0] == tail[$0 - period] }
        }
    }
  }
}
