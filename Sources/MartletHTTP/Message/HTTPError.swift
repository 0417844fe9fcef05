/// Why a request got no (complete) response.
///
/// A response with a status of 400 or more is not an error here. Cancellation is thrown as `CancellationError`.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case invalidRequest, invalidURL, cannotResolve, cannotConnect, tls, connectTimeout, idleTimeout, totalTimeout
      case connectionLost, invalidResponse, badRedirect, tooLarge, bodyUnavailable, shutDown, unavailable
    }
    private let value: Value

    /// The request cannot be sent as it is: a header with a line break, a body that cannot be repeated.
    public static let invalidRequest = Self(value: .invalidRequest)
    /// Not an absolute `http` or `https` URL.
    public static let invalidURL = Self(value: .invalidURL)
    /// The name of the host, or of the proxy, is unknown.
    public static let cannotResolve = Self(value: .cannotResolve)
    /// Nobody listens there, or the way there is blocked.
    public static let cannotConnect = Self(value: .cannotConnect)
    /// No trusted encrypted connection: certificate, host name, handshake, or an unreadable CA file.
    public static let tls = Self(value: .tls)
    /// ``HTTPRequest/Timeouts/connect`` passed.
    public static let connectTimeout = Self(value: .connectTimeout)
    /// ``HTTPRequest/Timeouts/idle`` passed.
    public static let idleTimeout = Self(value: .idleTimeout)
    /// ``HTTPRequest/Timeouts/total`` passed.
    public static let totalTimeout = Self(value: .totalTimeout)
    /// The connection closed or broke before the response was complete.
    public static let connectionLost = Self(value: .connectionLost)
    /// What came back is not HTTP, or cannot be decoded.
    public static let invalidResponse = Self(value: .invalidResponse)
    /// More redirects than the request allows, or one that cannot or may not be followed.
    public static let badRedirect = Self(value: .badRedirect)
    /// A body, event or line exceeds its limit.
    public static let tooLarge = Self(value: .tooLarge)
    /// The file or stream to upload could not be read.
    public static let bodyUnavailable = Self(value: .bodyUnavailable)
    /// The transport was shut down.
    public static let shutDown = Self(value: .shutDown)
    /// The transport cannot work here at all (no libcurl, no memory, no thread).
    public static let unavailable = Self(value: .unavailable)

    /// The code of a name that `description` gave.
    package init?(name: String) {
      guard let value = Value(rawValue: name) else { return nil }
      self.value = value
    }

    private init(value: Value) { self.value = value }

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence, safe to show and to log: no header, no credential, no query.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  /// A failure. The message must be safe to log.
  public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { "\(code): \(message)" }

  /// Whether the same request may work when it is sent again: the failure is the way there, not the request.
  public var isTransient: Bool {
    switch code {
    case .cannotResolve, .cannotConnect, .connectTimeout, .idleTimeout, .connectionLost: true
    default: false
    }
  }
}
