#if canImport(Darwin)
  import Foundation

  /// Sends requests through `URLSession`, on Apple platforms.
  ///
  /// > Note: not compiled or tested on Linux, where ``CurlTransport`` does the work. Kept thin for that reason: what both
  /// > need (checks, the redirect rule, decoders) is shared. `URLSession` asks for and decodes compressed bodies by itself,
  /// > takes proxies and trusted certificates from the system, and counts waiting for the network as idle time.
  public final class URLSessionTransport: HTTPTransport {
    /// The transport of the process.
    public static let shared = URLSessionTransport()

    private let session: URLSession

    public init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.httpMaximumConnectionsPerHost = 64
      // The transfers' own timeouts decide.
      configuration.timeoutIntervalForRequest = 7 * 86_400
      configuration.timeoutIntervalForResource = 7 * 86_400
      session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try Task.checkCancellation()
      try request.check()
      let transfer = URLSessionTransfer(request)
      let task = try makeTask(request)
      task.delegate = transfer
      let source = URLSessionBodySource(transfer, task)
      transfer.start(task)
      let head = try await transfer.head()
      return HTTPResponse(status: head.status, headers: head.headers, url: head.url, body: HTTPBody(source))
    }

    private func makeTask(_ request: HTTPRequest) throws -> URLSessionTask {
      guard let url = URL(string: request.url) else {
        throw HTTPError(.invalidURL, "The URL cannot be read.")
      }
      var message = URLRequest(url: url)
      message.httpMethod = request.method.rawValue
      message.setValue("martlet", forHTTPHeaderField: "user-agent")
      for field in request.headers { message.addValue(field.value, forHTTPHeaderField: field.name) }
      switch request.body {
      case nil: break
      case .bytes(let bytes): message.httpBody = Data(bytes)
      case .segments(let segments): message.httpBody = Data(segments.joined())
      case .file(let path): return session.uploadTask(with: message, fromFile: URL(fileURLWithPath: path))
      case .stream:
        throw HTTPError(.invalidRequest, "Uploading a stream of bytes is not supported here; use a file.")
      }
      return session.dataTask(with: message)
    }
  }
#endif
