import MartletHTTP

/// Answers every request with one response, its body in pieces.
struct ReplayTransport: HTTPTransport {
  var status = 200
  var headers: HTTPHeaders = ["content-type": "text/event-stream"]
  var chunks: [[UInt8]]

  init(
    _ body: [UInt8], chunkSize: Int? = nil, status: Int = 200,
    headers: HTTPHeaders = ["content-type": "text/event-stream"]
  ) {
    self.status = status
    self.headers = headers
    if let chunkSize {
      chunks = stride(from: 0, to: body.count, by: chunkSize).map { Array(body[$0..<min($0 + chunkSize, body.count)]) }
    } else {
      chunks = [body]
    }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, url: request.url, body: HTTPBody(chunks: chunks))
  }
}
