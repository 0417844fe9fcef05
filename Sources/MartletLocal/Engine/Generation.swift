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

  /// The tokens of the reply so far, without the one that ended it.
  package private(set) var tokens: [Token] = []
  /// Set when `next()` has returned `nil`.
  package private(set) var finish: Finish?

  /// Goes on after what the context has read.
  /// - Parameter grammar: what the reply must keep to, from where it stands; it moves along.
  package init(_ context: EngineContext, options: GenerationOptions = GenerationOptions(), grammar: TokenGrammar? = nil)
  {
    self.context = context
    self.grammar = grammar
    limit = options.maximumTokens ?? .max
    sampler = TokenSampler(options.sampling)
    text = ReplyText(stops: options.stops)
  }

  /// Makes one token, and returns the text that is certain by now: often empty, in the middle of a character or of what
  /// may become a stop string. `nil` when the reply has ended.
  /// - Throws: `EngineError` with `grammarStuck`; `CancellationError`, within one token.
  package mutating func next() throws -> String? {
    if finish != nil { return nil }
    try Task.checkCancellation()
    if tokens.count >= limit { return end(.length) }
    if let token = unread {
      if context.tokens.count >= context.capacity { return end(.context) }
      try context.feed(CollectionOfOne(token))
      unread = nil
    }
    let token = try context.withLogits { logits in
      if let grammar { return try grammar.choose(with: &sampler, from: logits) }
      return sampler.choose(from: logits)
    }
    if context.model.endsReply(token) { return end(.ended) }
    tokens.append(token)
    unread = token
    let piece = text.append(context.model.bytes(of: token, markup: true))
    guard let stop = text.stop else { return piece }
    finish = .stop(stop)
    return piece.isEmpty ? nil : piece
  }

  private mutating func end(_ reason: Finish) -> String? {
    finish = reason
    let rest = text.finish()
    return rest.isEmpty ? nil : rest
  }
}
