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
    if sampling.isGreedy { return Token(logits.indexOfMaximum()) }
    if sampling.topK > 0 { return choose(from: Self.ranked(logits, limit: sampling.topK)) }
    if sampling.topP >= 1 { return chooseUnranked(from: logits) }
    // Ranking the whole vocabulary is slow and hardly ever needed: the few likeliest have most of the probability.
    let maximum = logits[logits.indexOfMaximum()]
    var total: Float = 0
    for logit in logits { total += weight(logit, maximum) }
    var limit = 256
    while true {
      let ranked = Self.ranked(logits, limit: limit)
      var sum: Float = 0
      for candidate in ranked { sum += weight(candidate.logit, maximum) }
      if sum >= Float(sampling.topP) * total || ranked.count == logits.count {
        return choose(from: ranked, total: total)
      }
      limit *= 8
    }
  }

  /// One choice from these tokens, which come likeliest first and are not none.
  mutating func choose(from ranked: [Candidate]) -> Token { choose(from: ranked, total: nil) }

  /// - Parameter total: the weight of all tokens, where `ranked` is only the beginning of them.
  private mutating func choose(from ranked: [Candidate], total: Float?) -> Token {
    if sampling.isGreedy { return ranked[0].token }
    let taking = sampling.topK > 0 ? ranked.prefix(sampling.topK) : ranked[...]
    var weights = taking.map { weight($0.logit, ranked[0].logit) }
    let limit = Float(sampling.topP) * (total ?? weights.reduce(0, +))
    var sum: Float = 0
    let last = weights.firstIndex { weight in
      sum += weight
      return sum >= limit
    }
    if sampling.topP < 1, let last { weights.removeSubrange((last + 1)...) }
    weights.removeSubrange((weights.firstIndex { $0 < Float(sampling.minP) } ?? weights.count)...)
    var rest = random.unit() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      rest -= weight
      if rest < 0 { return taking[index].token }
    }
    return taking[max(0, weights.count - 1)].token
  }

  /// No limit needs a ranking: two passes over the vocabulary.
  private mutating func chooseUnranked(from logits: UnsafeBufferPointer<Float>) -> Token {
    let likeliest = logits.indexOfMaximum()
    let least = Float(sampling.minP)
    var total: Float = 0
    for logit in logits {
      let weight = weight(logit, logits[likeliest])
      if weight >= least { total += weight }
    }
    var rest = random.unit() * total
    for index in logits.indices {
      let weight = weight(logits[index], logits[likeliest])
      guard weight >= least else { continue }
      rest -= weight
      if rest < 0 { return Token(index) }
    }
    return Token(likeliest)
  }

  /// How probable a token is, relative to the likeliest.
  private func weight(_ logit: Float, _ maximum: Float) -> Float {
    exp((logit - maximum) / Float(sampling.temperature))
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
