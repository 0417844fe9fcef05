#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
  import MartletSync

  /// Takes the one redirect that answers what was asked. Whatever else comes to the port, from other pages or programs,
  /// is sent away and changes nothing.
  final class RedirectCatcher: Sendable {
    private struct State {
      var expected: String?
      var caught: String?
      var waiter: CheckedContinuation<String, any Error>?
      var isCancelled = false
    }

    private let state = Locked(State())

    /// From now on the redirect with the state of this page is waited for.
    func expect(stateOf url: String) {
      let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
      let field = query.split(separator: "&").first { $0.hasPrefix("state=") }
      state.withLock { $0.expected = field.map { String($0.dropFirst("state=".count)) } }
    }

    /// The path and query of the redirect.
    func target() async throws -> String {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
          let ready = state.withLock { state -> Result<String, any Error>? in
            if state.isCancelled { return .failure(CancellationError()) }
            if let caught = state.caught { return .success(caught) }
            state.waiter = continuation
            return nil
          }
          if let ready { continuation.resume(with: ready) }
        }
      } onCancel: {
        let waiter = state.withLock { state -> CheckedContinuation<String, any Error>? in
          state.isCancelled = true
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume(throwing: CancellationError())
      }
    }

    func answer(_ request: HTTPServerRequest) -> HTTPResponse {
      let given = request.query("state")
      let (isTaken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<String, any Error>?) in
        guard let expected = state.expected, given == expected, state.caught == nil else { return (false, nil) }
        state.caught = request.target
        defer { state.waiter = nil }
        return (true, state.waiter)
      }
      waiter?.resume(returning: request.target)
      // The page says nothing of what is in the redirect: it has not been checked.
      return isTaken
        ? Self.page(200, "Thank you", "You can close this window and go back to the terminal.")
        : Self.page(400, "Nothing to do here", "This is not the answer to what was asked, or it was given before.")
    }

    private static func page(_ status: Int, _ title: String, _ text: String) -> HTTPResponse {
      let html = """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Martlet</title>\
        <meta name="viewport" content="width=device-width"><style>body{font:1.1rem/1.5 system-ui,sans-serif;\
        color-scheme:light dark;display:grid;place-content:center;min-height:90vh;text-align:center}</style></head>\
        <body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>

        """
      return HTTPResponse(
        status: status,
        headers: [
          "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "referrer-policy": "no-referrer",
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ],
        body: HTTPBody(Array(html.utf8)))
    }
  }
#endif
