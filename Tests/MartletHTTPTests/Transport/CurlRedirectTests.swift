#if os(Linux)
  import MartletHTTP
  import MartletSync
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlRedirectTests {
    let transport = CurlTransport(.init(proxy: .none))

    /// Tells what it got, one line for each request.
    private func echo() throws -> LoopbackServer {
      try LoopbackServer(answering: { request in
        let keys = ["authorization", "x-api-key", "x-mine", "cookie", "x-plain", "content-type"]
        let headers = keys.filter { request[$0] != nil }.joined(separator: " ")
        return answer(body: "\(request.method) \(request.target) \(request.body.count) \(headers)")
      })
    }

    private func redirector(_ status: Int, to location: @escaping @Sendable (String) -> String) throws -> LoopbackServer
    {
      try LoopbackServer(answering: { request in
        request.target.hasPrefix("/end")
          ? answer(body: "\(request.method) \(request.target) \(request.body.count) \(request["x-api-key"] ?? "-")")
          : answer(status, headers: [("Location", location(request.target))], body: "moved")
      })
    }

    private func request(_ method: HTTPRequest.Method, _ url: String) -> HTTPRequest {
      var request = HTTPRequest(
        method, url,
        headers: [
          "authorization": "a", "x-api-key": "b", "x-mine": "c", "cookie": "d", "x-plain": "e", "content-type": "f",
        ], body: .bytes([1, 2, 3]), redirects: .follow(limit: 3))
      request.credentialHeaders.append("X-Mine")
      return request
    }

    private func text(_ request: HTTPRequest) async throws -> String {
      String(decoding: try await transport.send(request).body.bytes(limit: 10_000), as: UTF8.self)
    }

    @Test func `a redirect is a response unless it is to be followed`() async throws {
      let server = try redirector(302) { _ in "/end" }
      let response = try await transport.send(HTTPRequest(.get, server.url))
      #expect(response.status == 302)
      #expect(try await response.body.bytes(limit: 10) == Array("moved".utf8))
    }

    @Test(arguments: [
      (301, "POST", "GET /end 0"), (302, "POST", "GET /end 0"), (303, "POST", "GET /end 0"), (303, "PUT", "GET /end 0"),
      (307, "POST", "POST /end 3"), (308, "POST", "POST /end 3"), (301, "PUT", "PUT /end 3"),
      (302, "PUT", "PUT /end 3"),
    ])
    func `the status decides about method and body`(_ status: Int, _ method: String, _ expected: String) async throws {
      let server = try redirector(status) { _ in "/end" }
      #expect(try await text(request(.init(rawValue: method), server.url)) == expected + " b")
      #expect(server.connections == 1)
    }

    @Test func `credentials do not go to another origin`() async throws {
      let other = try echo()
      let server = try redirector(307) { [url = other.url] _ in url + "/x" }
      #expect(try await text(request(.post, server.url)) == "POST /x 3 x-plain content-type")
    }

    @Test(arguments: [
      ("b", "/a/b"), ("../b?x#y", "/b?x"), ("?q", "/a/?q"), ("//127.0.0.1:PORT/end", "/end"), ("b c", "/a/b%20c"),
      ("http://127.0.0.1:PORT/end/x", "/end/x"), ("HTTP://127.0.0.1:PORT/end", "/end"),
    ])
    func `locations may be relative`(_ location: String, _ expected: String) async throws {
      let port = Promise<UInt16>()
      let server = try LoopbackServer { connection in
        while let request = connection.readRequest() {
          if request.target == "/a/" {
            let location = location.split(separator: "PORT", omittingEmptySubsequences: false)
              .joined(separator: "\(port.waitForValue())")
            connection.write(answer(302, headers: [("Location", location)]))
          } else {
            connection.write(answer(body: request.target))
          }
        }
      }
      port.keep(server.port)
      #expect(try await text(HTTPRequest(.get, server.url + "/a/", redirects: .follow(limit: 1))) == expected)
    }

    @Test func `the limit of redirects holds, and so does the final URL`() async throws {
      let server = try redirector(302) { target in target == "/2" ? "/end" : "/\((Int(target.dropFirst()) ?? 0) + 1)" }
      let response = try await transport.send(HTTPRequest(.get, server.url + "/0", redirects: .follow(limit: 3)))
      #expect(response.status == 200)
      #expect(response.url == server.url + "/end")
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(.get, server.url + "/0", redirects: .follow(limit: 2)))
      }
      #expect(error?.code == .badRedirect)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "gopher://127.0.0.1/"])
    func `a redirect to what is no http URL fails`(_ location: String) async throws {
      let server = try redirector(302) { _ in location }
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(.get, server.url, redirects: .follow(limit: 3)))
      }
      #expect([.badRedirect, .invalidURL].contains(error?.code))
    }

    @Test func `an upload from a stream is not sent a second time`() async throws {
      let server = try redirector(307) { _ in "/end" }
      let upload = HTTPRequest.Body.stream(HTTPBody([1, 2, 3]), length: 3)
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(.post, server.url, body: upload, redirects: .follow(limit: 3)))
      }
      #expect(error?.code == .badRedirect)
    }
  }
#endif
