public import MartletHTTP

/// Why a request is not let in, as the client is told (RFC 6750, 3).
public struct AccessRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// 400, 401, 403 or 503.
  public let status: Int
  /// The value of `WWW-Authenticate`; `nil` for 503.
  public let challenge: AuthenticationChallenge?
  /// One sentence for the client.
  public let message: String

  /// The headers of the answer.
  public var headers: HTTPHeaders {
    guard let challenge else { return [:] }
    return ["www-authenticate": challenge.headerValue]
  }

  /// The answer.
  public var response: HTTPResponse {
    var headers = headers
    headers["content-type"] = "text/plain; charset=utf-8"
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(Array((message + "\n").utf8)))
  }

  public var description: String { "\(status): \(message)" }
}
