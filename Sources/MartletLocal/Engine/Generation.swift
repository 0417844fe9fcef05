/// A reply in the making: asks the context for one token after the other.
///
/// ```swift
/// try await engine.withContext { context in
///   let reused = try context.read(prompt)
///   var generation = Generation(context, options: options)
///   while let text = try generation.next() { … }
///   generation.finish  // why it ended
/// }
/// ```
package struct Generation {
  /// Why a reply ended.
  package enum Finish: Sendable, Hashable {
    /// The model said that it is done.
    case ended
    /// A stop string came.
    case stop(String)
    /// `maximumTokens` were made.
    case length
    /// The context is full.
    case context
  }

  private let context: EngineContext
  private let grammar: TokenGrammar?
  private let limit: Int
  private var sampler: TokenSampler
  private var text: ReplyText
  /// A token that was handed out and not read back yet: that waits until another is wanted.
  private var unread: Token?
  /// Guesses how the text so far goes on.
  private let draft: ((String) -> String?)?
  /// Guessed tokens that were read after the last one handed out.
  private var guess: [Token] = []
  /// Which of the tokens that were read in one step expectations are taken from; `nil` for the last of them.
  private var row: Int?
  /// The most tokens that are guessed at once: a step of so many takes little longer than one of a single token.
  private static let guessedTokens = 4

  /// The tokens of the reply so far, without the one that ended it.
  package private(set) var tokens: [Token] = []
  /// Set when `next()` has returned `nil`.
  package private(set) var finish: Finish?

  /// Goes on after what the context has read.
  /// - Parameters:
  ///   - grammar: what the reply must keep to, from where it stands; it moves along.
  ///   - draft: guesses how a text goes on, which makes a greedy reply faster where it is right and no other where it is
  ///     wrong. Not asked where choices are random.
  package init(
    _ context: EngineContext, options: GenerationOptions = GenerationOptions(), grammar: TokenGrammar? = nil,
    draft: ((String) -> String?)? = nil
  ) {
    self.context = context
    self.grammar = grammar
    limit = options.maximumTokens ?? .max
    sampler = TokenSampler(options.sampling)
    text = ReplyText(stops: options.stops)
    self.draft = options.sampling.isGreedy && context.canGoBack ? draft : nil
  }

  /// Makes one token, and returns the text that is certain by now: often empty, in the middle of a character or of what
  /// may become a stop string. `nil` when the reply has ended.
  /// - Throws: `EngineError` with `grammarStuck`; `CancellationError`, within one token.
  package mutating func next() throws -> String? {
    if finish != nil { return nil }
    try Task.checkCancellation()
    if tokens.count >= limit { return end(.length) }
    if let token = unread {
      guard try read(token) else { return end(.context) }
      unread = nil
    }
    func choose(_ logits: UnsafeBufferPointer<Float>) throws -> Token {
      if let grammar { return try grammar.choose(with: &sampler, from: logits) }
      return sampler.choose(from: logits)
    }
    let token =
      if let row { try context.withLogits(afterFed: row, choose) } else { try context.withLogits(choose) }
    if context.model.endsReply(token) { return end(.ended) }
    tokens.append(token)
    unread = token
    let piece = text.append(context.model.bytes(of: token, markup: true))
    guard let stop = text.stop else { return piece }
    finish = .stop(stop)
    return piece.isEmpty ? nil : piece
  }

  /// Reads a token, unless it was guessed and read before; `false` when the context is full.
  private mutating func read(_ token: Token) throws -> Bool {
    if let row, guess.first == token {
      guess.removeFirst()
      self.row = row + 1
      return true
    }
    context.rollBack(to: context.tokens.count - guess.count)
    guess = []
    row = nil
    guard context.tokens.count < context.capacity else { return false }
    guess = guessed()
    guard !guess.isEmpty, context.tokens.count + 1 + guess.count <= context.capacity else {
      guess = []
      try context.feed(CollectionOfOne(token))
      return true
    }
    do {
      try context.feedExpectingEach([token] + guess)
    } catch {
      guess = []  // none of them was read
      throw error
    }
    row = 0
    return true
  }

  /// The tokens that the text may go on with, as the model would write them.
  private func guessed() -> [Token] {
    guard let draft else { return [] }
    let written = context.model.text(of: tokens, markup: true)
    guard let rest = draft(written) else { return [] }
    let whole = context.model.tokens(in: written + rest)
    // Where the guess joins with the last token the model would have had to write another one.
    guard whole.starts(with: tokens) else { return [] }
    return Array(whole.dropFirst(tokens.count).prefix(min(Self.guessedTokens, limit - tokens.count)))
  }

  private mutating func end(_ reason: Finish) -> String? {
    finish = reason
    let rest = text.finish()
    return rest.isEmpty ? nil : rest
  }
}
