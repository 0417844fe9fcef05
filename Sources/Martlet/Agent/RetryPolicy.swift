/// How long to wait before a model is asked again. A pure rule: clock and chance come from the caller.
///
/// Whether a failure may pass, and what delay the provider named, is in the `ModelError`. The figures are those of the
/// vendors' own clients (Anthropic's and OpenAI's): what the provider asks for, up to two minutes, else 0.5 s · 2ⁿ up to
/// 8 s, less up to a quarter by chance.
struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again at most.
  var limit: Int
  /// The delay before the first retry when the provider names none; it doubles with each further one.
  var firstDelay = Duration.milliseconds(500)
  /// The longest delay when the provider names none.
  var longestBackoff = Duration.seconds(8)
  /// The longest delay that a provider may ask for; one that asks for more is not asked again.
  var longestDelay = Duration.seconds(120)

  /// The delay before the next try; nil when there is to be none.
  /// - Parameters:
  ///   - tries: how often the request was sent, at least once.
  ///   - random: gives a number from 0 to 1; asked only where chance plays a part, since recordings count that.
  func delay(after failure: ModelError, tries: Int, random: () -> Double) -> Duration? {
    guard failure.isRetryable, tries <= limit else { return nil }
    // Zero asks for nothing.
    if let asked = failure.retryAfter, asked > .zero { return asked <= longestDelay ? asked : nil }
    var delay = firstDelay
    for _ in 1..<max(1, min(tries, 62)) where delay < longestBackoff { delay *= 2 }
    return min(delay, longestBackoff) * (1 - 0.25 * min(max(random(), 0), 1))
  }
}
