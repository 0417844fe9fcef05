#if canImport(Darwin)
  import Foundation
  import MartletSync

  /// One request under way: what the session's queue and the one task that reads it share.
  final class URLSessionTransfer: NSObject, URLSessionDataDelegate, Sendable {
    typealias Head = (status: Int, headers: HTTPHeaders, url: String)

    private struct State {
      var head: Head?
      var buffer: [UInt8] = []
      var isSuspended = false
      var end: Result<Void, any Error>?
      var waiter: CheckedContinuation<Void, Never>?
      var redirects = 0
      var task: URLSessionTask?
      var lastActivity = ContinuousClock.now

      mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
      }
    }

    /// A task is suspended when its reader lets so many bytes lie.
    private static let bufferLimit = 256 << 10

    private let request: HTTPRequest
    private let state = Locked(State())

    init(_ request: HTTPRequest) { self.request = request }

    func start(_ task: URLSessionTask) {
      state.withLock { $0.task = task }
      if let total = request.timeouts.total {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(total.wholeMilliseconds)) { [weak self] in
          guard let self else { return }
          cancel(HTTPError(.totalTimeout, "The request to \(request.url.urlOrigin) took longer than its time limit."))
        }
      }
      if let idle = request.timeouts.idle { watchForSilence(idle, after: idle) }
      task.resume()
    }

    func head() async throws -> Head {
      while true {
        try checkCancellation()
        let (head, end) = state.withLock { ($0.head, $0.end) }
        if let head { return head }
        try end?.get()
        if end != nil { throw HTTPError(.connectionLost, "The server closed the connection without a response.") }
        await wait { $0.head != nil }
      }
    }

    func nextChunk() async throws -> [UInt8]? {
      while true {
        try checkCancellation()
        let (chunk, resumed, end) = state.withLock { state in
          var chunk: [UInt8] = []
          swap(&chunk, &state.buffer)
          let resumed = !chunk.isEmpty && state.isSuspended ? state.task : nil
          if !chunk.isEmpty {
            state.isSuspended = false
            state.lastActivity = .now
          }
          return (chunk, resumed, state.end)
        }
        resumed?.resume()
        if !chunk.isEmpty { return chunk }
        if let end {
          try end.get()
          return nil
        }
        await wait { !$0.buffer.isEmpty }
      }
    }

    /// Ends the transfer unless it is complete.
    func cancel(_ reason: any Error = CancellationError()) {
      let task = state.withLock { $0.end == nil ? $0.task : nil }
      finish(.failure(reason))
      task?.cancel()
    }

    private func checkCancellation() throws {
      guard Task.isCancelled else { return }
      cancel()
      throw CancellationError()
    }

    private func wait(until condition: @Sendable (borrowing State) -> Bool) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = state.withLock { state in
            if condition(state) || state.end != nil { return true }
            state.waiter = continuation
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        cancel()
      }
    }

    private func finish(_ end: Result<Void, any Error>) {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if state.end == nil { state.end = end }
        return state.takeWaiter()
      }
      waiter?.resume()
    }

    /// Looks again when the time is over at the earliest; one look is due at a time.
    private func watchForSilence(_ idle: Duration, after delay: Duration) {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay.wholeMilliseconds)) { [weak self] in
        guard let self else { return }
        let (isWatched, silence) = state.withLock { state in
          // While the reader is slow, silence is not the server's fault.
          if state.isSuspended { state.lastActivity = .now }
          return (state.end == nil, ContinuousClock.now - state.lastActivity)
        }
        if isWatched, silence >= idle {
          cancel(HTTPError(.idleTimeout, "\(request.url.urlOrigin) sent nothing for \(idle)."))
        } else if isWatched {
          watchForSilence(idle, after: idle - silence)
        }
      }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard case .follow(let limit) = request.redirects, let target = newRequest.url else {
        return completionHandler(nil)
      }
      let count = state.withLock { state in
        state.redirects += 1
        return state.redirects
      }
      do throws(HTTPError) {
        guard count <= limit else {
          throw HTTPError(.badRedirect, "\(request.url.urlOrigin) redirects more than \(limit) times.")
        }
        let sameOrigin = response.url.map(Self.origin) == Self.origin(target)
        let next = try request.redirected(
          status: response.statusCode, to: target.absoluteString, sameOrigin: sameOrigin)
        // URLSession has changed method and body as the status says; the rule decides what else goes along.
        var message = newRequest
        for field in request.headers where next.headers[field.name] == nil {
          message.setValue(nil, forHTTPHeaderField: field.name)
        }
        completionHandler(message)
      } catch {
        cancel(error)
        completionHandler(nil)
      }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      state.withLock { $0.lastActivity = .now }
      guard let response = response as? HTTPURLResponse else {
        cancel(HTTPError(.invalidResponse, "\(request.url.urlOrigin) sent what is not an HTTP response."))
        return completionHandler(.cancel)
      }
      let headers = HTTPHeaders(response.allHeaderFields.map { ("\($0.key)", "\($0.value)") })
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.head = (response.statusCode, headers, response.url?.absoluteString ?? request.url)
        return state.takeWaiter()
      }
      waiter?.resume()
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let (waiter, suspends) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
        state.buffer.append(contentsOf: data)
        let suspends = state.buffer.count >= Self.bufferLimit && !state.isSuspended
        if suspends { state.isSuspended = true }
        state.lastActivity = .now
        return (state.takeWaiter(), suspends)
      }
      if suspends { dataTask.suspend() }
      waiter?.resume()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      finish(error.map { .failure(HTTPError($0, origin: request.url.urlOrigin)) } ?? .success(()))
    }

    private static func origin(_ url: URL) -> String {
      let scheme = url.scheme?.lowercased() ?? ""
      return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }
  }

  /// The body of a transfer; the last reference that goes ends the transfer.
  final class URLSessionBodySource: HTTPBodySource {
    private let transfer: URLSessionTransfer

    init(_ transfer: URLSessionTransfer, _ task: URLSessionTask) { self.transfer = transfer }
    deinit { transfer.cancel() }

    func next() async throws -> [UInt8]? { try await transfer.nextChunk() }
  }

  extension HTTPError {
    fileprivate init(_ error: any Error, origin: String) {
      switch (error as? URLError)?.code {
      case .cannotFindHost, .dnsLookupFailed: self.init(.cannotResolve, "Cannot find the host of \(origin).")
      case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
        self.init(.cannotConnect, "Cannot connect to \(origin).")
      case .timedOut: self.init(.connectTimeout, "No connection to \(origin) in time.")
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        self.init(.tls, "No trusted connection to \(origin).")
      case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
        self.init(.invalidResponse, "\(origin) sent what is not an HTTP response.")
      default: self.init(.connectionLost, "The connection to \(origin) broke before the response was complete.")
      }
    }
  }
#endif
