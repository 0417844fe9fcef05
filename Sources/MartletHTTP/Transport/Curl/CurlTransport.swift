#if os(Linux)
  import MartletSync

  /// Sends requests through libcurl. All requests of a transport run on one thread of its own, which starts with the first
  /// request; so does libcurl itself (``Configuration`` says what can be set). Connections are kept and used again.
  ///
  /// A reader that is slow stops the socket, so memory stays flat. Nothing is logged.
  public final class CurlTransport: HTTPTransport {
    /// The transport of the process, with the default configuration.
    public static let shared = CurlTransport()

    /// What holds for all requests.
    public let configuration: Configuration
    private let loop: Locked<CurlLoop?>
    /// Runs tasks on the transport's own thread, which so hand over nothing to other threads between a response and what
    /// is made of it: the cheapest place for a program with few agents. What blocks or computes for long does not belong
    /// there, for all requests wait for it.
    public let taskExecutor: any TaskExecutor

    /// A transport. Its thread starts with the first request.
    public init(_ configuration: Configuration = Configuration()) {
      self.configuration = configuration
      let loop = Locked<CurlLoop?>(nil)
      self.loop = loop
      taskExecutor = CurlTaskExecutor(loop, configuration)
    }

    deinit { loop.withLock { $0 }?.stop() }

    /// Ends all requests (``HTTPError/Code/shutDown``), closes all connections and returns when that is done. The next
    /// request starts anew.
    public func shutdown() async {
      let running = loop.withLock { loop in
        defer { loop = nil }
        return loop
      }
      await running?.stopAndWait()
    }

    /// Starts loading libcurl now, so that the first request does not wait for it.
    public func prepare() throws { _ = try runningLoop() }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let deadline = request.timeouts.total.map { ContinuousClock.now + $0 }
      var hop = request
      var followed = 0
      while true {
        let response = try await exchange(hop, deadline: deadline)
        guard case .follow(let limit) = request.redirects, HTTPResponse.isRedirect(response.status),
          let location = response.headers["location"]
        else { return response }
        guard followed < limit else {
          throw HTTPError(.badRedirect, "\(request.url.urlOrigin) redirects more than \(limit) times.")
        }
        followed += 1
        guard let url = CurlURL.resolve(location, from: hop.url) else {
          throw HTTPError(.badRedirect, "\(hop.url.urlOrigin) redirects to what is not an http or https URL.")
        }
        let sameOrigin = CurlURL.origin(of: hop.url) == CurlURL.origin(of: url)
        hop = try hop.redirected(status: response.status, to: url, sameOrigin: sameOrigin)
        try await response.drain()
      }
    }

    private func exchange(_ request: HTTPRequest, deadline: ContinuousClock.Instant?) async throws -> HTTPResponse {
      try Task.checkCancellation()
      try request.check()
      let loop = try runningLoop()
      let transfer = CurlTransfer(request, deadline: deadline, loop: loop, bufferLimit: configuration.bufferLimit)
      let source = CurlBodySource(transfer)
      loop.post(.start(transfer))
      let head = try await head(of: transfer, request)
      return HTTPResponse(status: head.status, headers: head.headers, url: request.url, body: HTTPBody(source))
    }

    private func head(of transfer: CurlTransfer, _ request: HTTPRequest) async throws -> (
      status: Int, headers: HTTPHeaders
    ) {
      guard case .stream(let body, _) = request.body, let upload = transfer.upload else {
        return try await transfer.head()
      }
      // The upload ends by itself when the transfer does.
      async let pumped: Void = {
        do {
          try await upload.pump(body) { transfer.resumeUpload() }
        } catch {
          transfer.cancel(
            error is CancellationError
              ? error : HTTPError(.bodyUnavailable, "The stream to upload failed.", underlying: error))
        }
      }()
      let head = try await transfer.head()
      await pumped
      return head
    }

    private func runningLoop() throws(HTTPError) -> CurlLoop { try CurlLoop.running(in: loop, configuration) }
  }

  extension HTTPResponse {
    /// Reads a short body to its end, so that its connection can be used again; leaves a long one.
    fileprivate func drain() async throws {
      guard let length = headers["content-length"].flatMap({ Int($0) }), length <= 64 << 10 else { return }
      for try await _ in body {}
    }
  }
#endif
