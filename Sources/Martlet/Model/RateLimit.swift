/// What a provider says of one of its limits, in the headers of a reply.
public struct RateLimit: Sendable, Hashable {
  /// What is counted.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The provider's own word, such as `input-tokens`.
    public let rawValue: String

    /// Another kind of a provider.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Requests.
    public static let requests = Self(rawValue: "requests")
    /// Tokens, of both directions together.
    public static let tokens = Self(rawValue: "tokens")
    /// Tokens of requests.
    public static let inputTokens = Self(rawValue: "input-tokens")
    /// Tokens of replies.
    public static let outputTokens = Self(rawValue: "output-tokens")

    public var description: String { rawValue }
  }

  /// What is counted.
  public var kind: Kind
  /// How many there may be in the provider's window of time.
  public var limit: Int?
  /// How many are left of them.
  public var remaining: Int?
  /// After how long all are there again, from when the reply began; never negative.
  public var resetsAfter: Duration?

  /// One limit.
  public init(_ kind: Kind, limit: Int? = nil, remaining: Int? = nil, resetsAfter: Duration? = nil) {
    self.kind = kind
    self.limit = limit
    self.remaining = remaining
    self.resetsAfter = resetsAfter
  }
}
