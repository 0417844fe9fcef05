/// Whether and when to send a request again. A pure rule: clock and chance come from the caller.
///
/// The defaults are those of the vendors' own clients (Anthropic's and OpenAI's): two retries; 408, 409, 429, 500 and
/// above, and broken connections; a delay that the server names, else 0.5 s · 2ⁿ up to 8 s, less up to a quarter by chance.
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again at most.
  public var limit: Int
  /// The delay before the first retry when the server names none; it doubles with each further one.
  public var firstDelay: Duration
  /// The longest delay when the server names none.
  public var longestBackoff: Duration
  /// The longest delay at all; a server that asks for more is asked again after this.
  public var longestDelay: Duration

  /// A policy.
  public init(
    limit: Int = 2, firstDelay: Duration = .milliseconds(500), longestBackoff: Duration = .seconds(8),
    longestDelay: Duration = .seconds(60)
  ) {
    self.limit = limit
    self.firstDelay = firstDelay
    self.longestBackoff = longestBackoff
    self.longestDelay = longestDelay
  }

  /// Never again.
  public static let never = RetryPolicy(limit: 0)

  /// What to do about a failure.
  /// - Parameters:
  ///   - retries: how often the request was sent again already.
  ///   - now: the time as seconds since 1970, to compare dates in headers with.
  ///   - random: from 0 to 1.
  public func decision(for failure: RetryFailure, retries: Int, now: Double, random: Double) -> RetryDecision {
    guard retries < limit, failure.mayPass else { return .stop }
    let named = failure.delay(now: now).flatMap { $0 > .zero ? $0 : nil }
    return .retry(after: min(named ?? backoff(retries: retries, random: random), longestDelay))
  }

  private func backoff(retries: Int, random: Double) -> Duration {
    var delay = firstDelay
    for _ in 0..<min(retries, 62) where delay < longestBackoff { delay *= 2 }
    return min(delay, longestBackoff) * (1 - 0.25 * min(max(random, 0), 1))
  }
}

/// See ``RetryPolicy/decision(for:retries:now:random:)``.
public enum RetryDecision: Sendable, Hashable {
  /// Send it again after waiting.
  case retry(after: Duration)
  /// Report the failure.
  case stop
}
