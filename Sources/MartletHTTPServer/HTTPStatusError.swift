public import MartletHTTP

/// Thrown by a handler to answer with a status.
public struct HTTPStatusError: Error, Sendable, CustomStringConvertible {
  /// The status code of the answer.
  public let status: Int
  /// One sentence for the client.
  public let message: String
  /// Headers of the answer.
  public let headers: HTTPHeaders

  /// An answer of a status, with one sentence for the client.
  public init(_ status: Int, _ message: String, headers: HTTPHeaders = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  public var description: String { "\(status): \(message)" }

  /// What an error means to a client: itself, 413 for a body over the limit, 503 while the server stops, else 500 without
  /// any detail.
  public init(_ error: any Error) {
    if let error = error as? HTTPStatusError {
      self = error
    } else if let error = error as? HTTPError, error.code == .tooLarge {
      self.init(413, "The body of the request is too large.")
    } else if error is CancellationError {
      self.init(503, "The server is stopping.")
    } else {
      self.init(500, "The server failed.")
    }
  }
}
