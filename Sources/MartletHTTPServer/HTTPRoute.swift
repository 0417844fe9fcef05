public import MartletHTTP

/// What answers which requests.
public struct HTTPRoute: Sendable {
  /// Answers a request. What it throws is answered as ``HTTPServer/Configuration/failure`` says.
  public typealias Handler = @Sendable (HTTPServerRequest) async throws -> HTTPResponse

  /// The method it answers.
  public let method: HTTPRequest.Method
  /// `/sessions/{id}/events`: a segment in braces takes any one segment, `{name...}` at the end takes all that follow (at
  /// least one). They are found in ``HTTPServerRequest/parameters``, percent-decoded.
  public let pattern: String
  /// What answers.
  public let handler: Handler
  let segments: [RoutePattern.Segment]

  /// - Parameter handler: runs in a task of its own for each request; it is cancelled when the client goes away or the
  ///   server stops. What it throws is answered as ``HTTPServer/Configuration/failure`` says.
  public init(_ method: HTTPRequest.Method, _ pattern: String, handler: @escaping Handler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
    segments = RoutePattern.segments(pattern)
  }
}
