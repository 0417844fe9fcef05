/// Why a client is not authorized. Cancellation is thrown as `CancellationError`.
///
/// No part of it holds a token, a code, a secret or what a server said in words of its own.
public struct AuthorizationError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case configuration, unsafeAddress, unreachable, discoveryFailed, resourceMismatch, issuerMismatch, issuerChanged
      case pkceUnsupported, clientUnknown, registrationFailed, clientRejected, interactionRequired, invalidCallback
      case denied, refused, invalidResponse, rejected, insufficientScope, storage
    }
    private let value: Value

    /// What was configured cannot work.
    public static let configuration = Self(value: .configuration)
    /// A URL that must not be used: not encrypted, or one that leads a public server's client into a private network.
    public static let unsafeAddress = Self(value: .unsafeAddress)
    /// A server could not be reached, or failed itself (a status of 500 or more).
    public static let unreachable = Self(value: .unreachable)
    /// No metadata tells where to get a token.
    public static let discoveryFailed = Self(value: .discoveryFailed)
    /// The metadata is about another resource than this server.
    public static let resourceMismatch = Self(value: .resourceMismatch)
    /// A document or a redirect does not come from the authorization server that was asked.
    public static let issuerMismatch = Self(value: .issuerMismatch)
    /// The server now names another authorization server than the one that the given client belongs to.
    public static let issuerChanged = Self(value: .issuerChanged)
    /// The authorization server does not offer PKCE with S256.
    public static let pkceUnsupported = Self(value: .pkceUnsupported)
    /// There is no client id, and none can be had.
    public static let clientUnknown = Self(value: .clientUnknown)
    /// The authorization server does not register this client.
    public static let registrationFailed = Self(value: .registrationFailed)
    /// The authorization server does not know the client (`invalid_client`, `unauthorized_client`).
    public static let clientRejected = Self(value: .clientRejected)
    /// A person has to agree, and nobody can be asked here.
    public static let interactionRequired = Self(value: .interactionRequired)
    /// What came back from the browser is not an answer to what was asked.
    public static let invalidCallback = Self(value: .invalidCallback)
    /// The person, or the authorization server for them, said no.
    public static let denied = Self(value: .denied)
    /// The authorization server refuses a token; ``AuthorizationError/serverCode`` says why.
    public static let refused = Self(value: .refused)
    /// A response that the standards do not allow.
    public static let invalidResponse = Self(value: .invalidResponse)
    /// The server does not take the tokens that its own authorization server issues.
    public static let rejected = Self(value: .rejected)
    /// What was granted does not suffice for a request, and asking for more did not help.
    public static let insufficientScope = Self(value: .insufficientScope)
    /// Tokens cannot be kept or read.
    public static let storage = Self(value: .storage)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence, safe to show and to log.
  public let message: String
  /// The `error` of an OAuth response, such as `invalid_grant`.
  public let serverCode: String?
  /// What lies beneath.
  public let underlying: (any Error)?

  /// A failure. The message must be safe to log.
  public init(_ code: Code, _ message: String, serverCode: String? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.serverCode = serverCode
    self.underlying = underlying
  }

  public var description: String { "\(code): \(message)" }
}
