public import MartletHTTP

/// A request as it came in.
public struct HTTPServerRequest: Sendable {
  /// What is to be done.
  public let method: HTTPRequest.Method
  /// Path and query as they were sent. Where the client sent a whole URL, its host is in the `host` header.
  public let target: String
  /// The query, percent-decoded, in order.
  public let query: [(name: String, value: String)]
  /// The headers as they came.
  public let headers: HTTPHeaders
  /// What the route's pattern took.
  public let parameters: [String: String]
  /// The body as it arrives: a slow reader stops the client. What is not read is thrown away. Reading more than
  /// ``HTTPServer/Configuration/bodyLimit`` throws `tooLarge`.
  public let body: HTTPBody

  /// The first value of a name in the query.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
