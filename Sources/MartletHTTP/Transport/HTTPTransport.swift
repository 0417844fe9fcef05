/// Sends requests. `CurlTransport` on Linux, `URLSessionTransport` on Apple platforms, or one of your own in tests.
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns as soon as the head of the (last) response has arrived; the body follows as it is
  /// read. Calls may run at the same time. Cancelling the task closes the connection.
  /// - Throws: ``HTTPError``, or `CancellationError`. A status of 400 or more is not an error.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
