/// A stretch of a prompt: what the chat format writes, in which special tokens mean themselves, or what somebody said,
/// in which they are only text.
package enum PromptPiece: Sendable, Hashable {
  case markup(String)
  case text(String)
}

extension [PromptPiece] {
  /// The tokens, each piece on its own, so that what somebody said can never join a special token.
  func tokens(_ model: EngineModel) -> [Token] {
    flatMap { piece in
      switch piece {
      case .markup(let text): model.tokens(in: text, markup: true)
      case .text(let text): model.tokens(in: text)
      }
    }
  }
}
