/// The head of a response, and its body as it arrives.
///
/// Every status is a response; none is thrown.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The headers of the last response, after redirects.
  public var headers: HTTPHeaders
  /// Where the response came from: the request's URL, or the last redirect's.
  public var url: String
  /// Single pass. Dropping it unread (with all its iterators) closes the connection; reading it to the end lets the
  /// connection be used again.
  public var body: HTTPBody

  /// A response.
  public init(status: Int, headers: HTTPHeaders = [:], url: String = "", body: HTTPBody = HTTPBody([])) {
    self.status = status
    self.headers = headers
    self.url = url
    self.body = body
  }

  /// The media type in lower case without parameters: `text/event-stream` for `Text/Event-Stream; charset=utf-8`.
  public var mediaType: String? {
    guard let value = headers["content-type"] else { return nil }
    let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }.map(\.asciiLowercased)
    return String(decoding: type, as: UTF8.self)
  }
}
