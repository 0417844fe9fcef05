/// Why a model did not give a reply. Its text is safe to log: no prompt, key or header is in it.
public struct ModelError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public var code: Code
  /// One sentence with the reason, and what to do where that is known.
  public var message: String
  /// Whether the same request may succeed later.
  public var isRetryable: Bool
  /// How long the provider asks to wait before trying again.
  public var retryAfter: Duration?
  /// The HTTP status, where there was one.
  public var status: Int?
  /// The request's id at the provider.
  public var requestId: String?
  /// The provider's own word for the error.
  public var providerCode: String?
  /// What lies beneath.
  public var underlying: (any Error)?

  /// A failure.
  public init(
    code: Code, message: String, isRetryable: Bool? = nil, retryAfter: Duration? = nil, status: Int? = nil,
    requestId: String? = nil, providerCode: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable ?? code.isRetryable
    self.retryAfter = retryAfter
    self.status = status
    self.requestId = requestId
    self.providerCode = providerCode
    self.underlying = underlying
  }

  public var description: String { "\(code.rawValue): \(message)" }

  /// Kinds of failure. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request is not one the provider accepts.
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// The key is missing or wrong.
    public static let authentication = Self(rawValue: "authentication")
    /// The key may not do this.
    public static let permission = Self(rawValue: "permission")
    /// No such model.
    public static let modelNotFound = Self(rawValue: "model_not_found")
    /// The request does not fit the context window.
    public static let contextOverflow = Self(rawValue: "context_overflow")
    /// The request's bytes are too many.
    public static let requestTooLarge = Self(rawValue: "request_too_large")
    /// Too many requests; waiting helps.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// Credit or quota is used up; waiting does not help.
    public static let quotaExceeded = Self(rawValue: "quota_exceeded")
    /// The provider has too much to do.
    public static let overloaded = Self(rawValue: "overloaded")
    /// The provider failed.
    public static let serverError = Self(rawValue: "server_error")
    /// No connection, or it broke.
    public static let connection = Self(rawValue: "connection")
    /// Nothing came in time.
    public static let timeout = Self(rawValue: "timeout")
    /// The stream ended before the reply was complete.
    public static let truncatedStream = Self(rawValue: "truncated_stream")
    /// What came is not what the protocol says.
    public static let invalidResponse = Self(rawValue: "invalid_response")
    /// The model or provider refused the content.
    public static let refused = Self(rawValue: "refused")
    /// The model cannot do what was asked (images, a schema, …).
    public static let unsupported = Self(rawValue: "unsupported")
    /// The process ended during the call, so its outcome is not known.
    public static let lost = Self(rawValue: "lost")
    /// The call was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")

    /// Whether waiting and asking again may help.
    public var isRetryable: Bool {
      [.rateLimited, .overloaded, .serverError, .connection, .timeout, .truncatedStream].contains(self)
    }
  }
}
