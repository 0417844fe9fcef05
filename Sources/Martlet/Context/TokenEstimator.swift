/// Tells how many tokens a request has from its bytes, and learns from what the model says it had.
///
/// A fold of the log: each reply's usage is an exact count of its request. Within an epoch what follows is estimated from
/// there; after a change of the prefix only the ratio of tokens to bytes is kept.
public struct TokenEstimator: Sendable, Hashable {
  /// Bytes of a token where nothing has been counted yet. English prose has more, JSON and code have fewer.
  public static let bytesPerToken = 4
  /// A count says something of the ratio only if its request had this many bytes: below, what the provider adds weighs
  /// more.
  private static let leastBytes = 1_024

  /// A request that was counted.
  struct Count: Sendable, Hashable {
    var tokens: Int
    var bytes: Int
  }

  private var ratio: Count?
  private var anchor: Count?

  /// Nothing counted yet.
  public init() {}

  /// Whether a request of this epoch was counted, so that only what came since is estimated.
  public var isAnchored: Bool { anchor != nil }

  /// About how many tokens so many bytes are.
  public func tokens(of bytes: Int) -> Int {
    guard let ratio else { return bytes / Self.bytesPerToken }
    return Int(Double(bytes) * Double(ratio.tokens) / Double(ratio.bytes))
  }

  /// About how many bytes so many tokens are.
  public func bytes(of tokens: Int) -> Int {
    guard let ratio else { return tokens.multipliedReportingOverflow(by: Self.bytesPerToken).partialValue }
    return Int(Double(tokens) * Double(ratio.bytes) / Double(max(1, ratio.tokens)))
  }

  /// About how many tokens a request of so many bytes has.
  public func tokens(ofRequest bytes: Int) -> Int {
    guard let anchor else { return tokens(of: bytes) }
    return max(0, anchor.tokens + tokens(of: bytes - anchor.bytes))
  }

  /// Takes what a request of so many bytes really had. Counts that cannot be (servers that report none, or those of all
  /// requests together) are left aside.
  public mutating func learn(tokens: Int, bytes: Int) {
    guard bytes > 0, tokens >= bytes / 16, tokens <= bytes else { return }
    anchor = Count(tokens: tokens, bytes: bytes)
    if bytes >= Self.leastBytes { ratio = anchor }
  }

  /// Takes that a request was too long though the estimate said otherwise: half as many tokens more for the same bytes.
  public mutating func learnOverflow() {
    anchor = nil
    let old = ratio ?? Count(tokens: Self.leastBytes / Self.bytesPerToken, bytes: Self.leastBytes)
    ratio = Count(tokens: min(old.bytes, old.tokens + old.tokens / 2), bytes: old.bytes)
  }

  /// The prefix changed: counts of earlier requests say nothing of later ones, but for the ratio.
  mutating func startEpoch() { anchor = nil }
}
