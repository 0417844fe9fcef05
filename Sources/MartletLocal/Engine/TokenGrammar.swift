import CLlama

/// A GBNF grammar and how far into it a reply is.
///
/// Not for more than one task at a time.
package final class TokenGrammar {
  private let model: EngineModel
  private let handle: UnsafeMutablePointer<llama_sampler>

  /// - Throws: `EngineError` with `badGrammar`.
  package init(_ gbnf: String, root: String = "root", model: EngineModel) throws {
    guard let handle = llama_sampler_init_grammar(model.vocabularyHandle, gbnf, root) else {
      throw EngineError(.badGrammar, "The grammar of the reply could not be parsed.")
    }
    self.model = model
    self.handle = handle
  }

  private init(model: EngineModel, handle: UnsafeMutablePointer<llama_sampler>) {
    self.model = model
    self.handle = handle
  }

  deinit { llama_sampler_free(handle) }

  /// The same grammar at the same place.
  package func copy() throws -> TokenGrammar {
    guard let copy = llama_sampler_clone(handle) else { throw EngineError(.failed, "The grammar could not be copied.") }
    return TokenGrammar(model: model, handle: copy)
  }

  /// Back to the start.
  package func reset() { llama_sampler_reset(handle) }

  /// Whether this token may come next.
  package func allows(_ token: Token) -> Bool { allowed([TokenSampler.Candidate(token: token, logit: 0)]).count == 1 }

  /// Steps over a token.
  /// - Throws: `EngineError` with `grammarStuck` when the token is not allowed.
  package func accept(_ token: Token) throws {
    // llama.cpp answers a forbidden token with a C++ exception, which would end the process.
    guard allows(token) else {
      throw EngineError(.grammarStuck, "The grammar does not allow what the reply was to go on with.")
    }
    llama_sampler_accept(handle, token)
  }

  /// Chooses a token that the grammar allows, and steps over it.
  ///
  /// Testing the whole vocabulary at each token costs a third of the speed. So the sampler chooses freely first, and
  /// only if that choice is forbidden the likeliest tokens are tested, more and more of them until some are allowed.
  func choose(with sampler: inout TokenSampler, from logits: UnsafeBufferPointer<Float>) throws -> Token {
    let first = sampler.choose(from: logits)
    if allows(first) {
      llama_sampler_accept(handle, first)
      return first
    }
    var limit = 64
    while true {
      let allowed = allowed(TokenSampler.ranked(logits, limit: limit))
      if !allowed.isEmpty {
        let token = sampler.choose(from: allowed)
        llama_sampler_accept(handle, token)
        return token
      }
      guard limit < logits.count else {
        throw EngineError(.grammarStuck, "The grammar allows no token of the model's vocabulary here.")
      }
      limit = limit < 4096 ? limit * 8 : logits.count
    }
  }

  private func allowed(_ candidates: [TokenSampler.Candidate]) -> [TokenSampler.Candidate] {
    var data = candidates.map { llama_token_data(id: $0.token, logit: $0.logit, p: 0) }
    return data.withUnsafeMutableBufferPointer { buffer in
      var array = llama_token_data_array(data: buffer.baseAddress, size: buffer.count, selected: -1, sorted: false)
      llama_sampler_apply(handle, &array)
      return buffer.prefix(array.size).compactMap {
        $0.logit > -.infinity ? TokenSampler.Candidate(token: $0.id, logit: $0.logit) : nil
      }
    }
  }
}
