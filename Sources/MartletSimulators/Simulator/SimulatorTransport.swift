import MartletHTTP

/// Reaches a simulator in process: no socket, no thread.
struct SimulatorTransport: HTTPTransport {
  let simulator: ProviderSimulator

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let body =
      switch request.body {
      case .bytes(let bytes)?: HTTPBody(bytes)
      case .segments(let segments)?: HTTPBody(chunks: segments)
      case .stream(let body, _)?: body
      case .file?:
        throw HTTPError(.bodyUnavailable, "A simulator in process takes no files.")
      case nil: HTTPBody([])
      }
    guard let scheme = request.url.firstRange(of: "://") else {
      throw HTTPError(.invalidURL, "This is no absolute URL.")
    }
    let rest = request.url[scheme.upperBound...]
    let target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    var response = try await simulator.answer(request.method, target, headers: request.headers, body: body)
    response.url = request.url
    return response
  }
}
