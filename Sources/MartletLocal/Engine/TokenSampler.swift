#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Chooses tokens; equal seeds and equal logits give equal choices.
struct TokenSampler: Sendable {
  let sampling: Sampling
  private var random: SplitMix64

  init(_ sampling: Sampling) {
    self.sampling = sampling
    random = SplitMix64(state: sampling.seed ?? UInt64.random(in: 0 ... .max))
  }

  /// One choice from all tokens.
  mutating func choose(from logits: UnsafeBufferPointer<Float>) -> Token {
    if sampling.temperature <= 0 || sampling.topK == 1 { return Token(logits.indexOfMaximum()) }
    return choose(from: Self.ranked(logits, limit: sampling.topK > 0 ? sampling.topK : logits.count))
  }

  /// One choice from these tokens, which come likeliest first and are not none.
  mutating func choose(from ranked: [Candidate]) -> Token {
    if sampling.temperature <= 0 || sampling.topK == 1 { return ranked[0].token }
    let taking = sampling.topK > 0 ? ranked.prefix(sampling.topK) : ranked[...]
    let temperature = Float(sampling.temperature)
    var weights = taking.map { exp(($0.logit - ranked[0].logit) / temperature) }
    if sampling.minP > 0 {
      let least = Float(sampling.minP)
      weights.removeSubrange((weights.firstIndex { $0 < least } ?? weights.count)...)
    }
    if sampling.topP < 1 {
      let limit = Float(sampling.topP) * weights.reduce(0, +)
      var sum: Float = 0
      let last = weights.firstIndex { weight in
        sum += weight
        return sum >= limit
      }
      if let last { weights.removeSubrange((last + 1)...) }
    }
    var rest = random.unit() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      rest -= weight
      if rest < 0 { return taking[index].token }
    }
    return taking[max(0, weights.count - 1)].token
  }

  struct Candidate: Sendable, Hashable {
    let token: Token
    let logit: Float
  }

  /// The likeliest tokens, at most `limit` of them, likeliest first; of equals the lower number first.
  static func ranked(_ logits: UnsafeBufferPointer<Float>, limit: Int) -> [Candidate] {
    func before(_ a: Candidate, _ b: Candidate) -> Bool {
      a.logit > b.logit || (a.logit == b.logit && a.token < b.token)
    }
    if limit >= logits.count {
      return logits.indices.map { Candidate(token: Token($0), logit: logits[$0]) }.sorted(by: before)
    }
    guard limit > 0 else { return [] }
    // Keep up to twice the limit, drop the lower half when full: one pass, few comparisons beyond the first screen.
    var kept: [Candidate] = []
    kept.reserveCapacity(2 * limit)
    var least = -Float.infinity
    for index in logits.indices where logits[index] > least {
      kept.append(Candidate(token: Token(index), logit: logits[index]))
      if kept.count == 2 * limit {
        kept.sort(by: before)
        kept.removeLast(limit)
        least = kept[limit - 1].logit
      }
    }
    kept.sort(by: before)
    return Array(kept.prefix(limit))
  }
}
