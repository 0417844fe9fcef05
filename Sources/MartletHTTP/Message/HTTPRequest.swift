/// One request, as a value: what to send, and how long to wait.
///
/// Printing it shows the method and the URL without credentials and query; never a header or the body.
public struct HTTPRequest: Sendable {
  /// A method; any token is allowed.
  public struct Method: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }

    /// Reads.
    public static let get: Self = "GET"
    /// Reads the headers alone.
    public static let head: Self = "HEAD"
    /// Sends something to be worked on.
    public static let post: Self = "POST"
    /// Replaces.
    public static let put: Self = "PUT"
    /// Changes a part.
    public static let patch: Self = "PATCH"
    /// Takes away.
    public static let delete: Self = "DELETE"
    /// Asks what is allowed.
    public static let options: Self = "OPTIONS"
  }

  /// What follows the head.
  public enum Body: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// Bytes in several pieces, sent one after the other without being joined first.
    case segments([[UInt8]])
    /// The content of a file, read while it is sent.
    case file(path: String)
    /// Bytes as they come, `length` of them in all if that is known (else they are sent chunked). It can be sent only
    /// once: a redirect that would repeat it is an error. The upload ends when the response head arrives.
    case stream(HTTPBody, length: Int?)
  }

  /// How long to wait. `nil` waits for ever.
  public struct Timeouts: Sendable, Hashable {
    /// For name resolution, TCP and TLS together.
    public var connect: Duration?
    /// Between two bytes, in either direction, once connected; also until the first byte of the response. The time that
    /// a slow reader of the body takes does not count.
    public var idle: Duration?
    /// From the call until the last byte of the body.
    public var total: Duration?

    /// Limits of time.
    public init(connect: Duration? = .seconds(10), idle: Duration? = .seconds(600), total: Duration? = nil) {
      self.connect = connect
      self.idle = idle
      self.total = total
    }
  }

  /// What to do with a 301, 302, 303, 307 or 308 that names a location.
  public enum Redirects: Sendable, Hashable {
    /// The redirect is the response.
    case deliver
    /// Go there, at most so often. `authorization`, `cookie`, `proxy-authorization` and the request's
    /// ``HTTPRequest/credentialHeaders`` are dropped when scheme, host or port change, and an `https` URL never leads to
    /// an `http` one. 303 becomes GET, 301 and 302 turn POST into GET, 307 and 308 repeat the request.
    case follow(limit: Int)
  }

  /// The encoding of the response body that is asked for.
  public enum ContentEncoding: Sendable, Hashable {
    /// Bytes as they are; right for streams.
    case identity
    /// Whatever the transport can decode while it streams (gzip and others).
    case compressed
  }

  /// What is to be done.
  public var method: Method
  /// An absolute `http` or `https` URL, percent-encoded.
  public var url: String
  /// The headers; those that the transport needs are added.
  public var headers: HTTPHeaders
  /// What is sent.
  public var body: Body?
  /// How long it may take.
  public var timeouts: Timeouts
  /// Which redirects are followed.
  public var redirects: Redirects
  /// Whether a compressed response is asked for and unpacked.
  public var contentEncoding: ContentEncoding
  /// Names of further headers that carry credentials, dropped when a redirect leads to another origin.
  public var credentialHeaders: [String] = ["x-api-key", "api-key", "x-goog-api-key"]

  /// A request.
  public init(
    _ method: Method = .get, _ url: String, headers: HTTPHeaders = [:], body: Body? = nil, timeouts: Timeouts = .init(),
    redirects: Redirects = .deliver, contentEncoding: ContentEncoding = .identity
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.redirects = redirects
    self.contentEncoding = contentEncoding
  }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(method) \(url.withoutURLSecrets)" }
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension String {
  /// A URL without user, password, query and fragment, so that it can be logged.
  var withoutURLSecrets: String {
    let plain = prefix { $0 != "?" && $0 != "#" }
    guard let scheme = plain.firstRange(of: "://") else { return String(plain) }
    let rest = plain[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(plain) }
    return String(plain[..<scheme.upperBound] + rest[rest.index(after: at)...])
  }

  /// Of a URL, what may be told about where it leads: scheme, host and port.
  var urlOrigin: String {
    let plain = withoutURLSecrets
    guard let scheme = plain.firstRange(of: "://") else { return plain }
    return String(plain[..<scheme.upperBound] + plain[scheme.upperBound...].prefix { $0 != "/" })
  }
}
