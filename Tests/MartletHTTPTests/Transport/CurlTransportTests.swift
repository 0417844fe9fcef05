#if os(Linux)
  import MartletHTTP
  import MartletSync
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
    let transport = CurlTransport(.init(proxy: .none))

    private func text(_ response: HTTPResponse) async throws -> String {
      String(decoding: try await response.body.bytes(limit: 1 << 20), as: UTF8.self)
    }

    private func code(_ body: () async throws -> Void) async -> HTTPError.Code? {
      await #expect(throws: HTTPError.self) { try await body() }?.code
    }

    // MARK: Requests and responses

    @Test func `method, headers and body arrive, and so does the answer`() async throws {
      let seen = Promise<LoopbackConnection.Request>()
      let server = try LoopbackServer { connection in
        guard let request = connection.readRequest() else { return }
        seen.keep(request)
        connection.write(
          "HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 201 Made\r\nX-One: 1\r\nx-two:  2 \r\nX-ONE: 3\r\n")
        connection.write("Folded: a\r\n  b\r\nContent-Length: 5\r\n\r\nhello")
      }
      let request = HTTPRequest(
        .post, server.url + "/a/b?c=d",
        headers: ["X-Key": "secret", "content-type": "application/json", "x-empty": ""],
        body: .bytes(Array("{}".utf8)))
      let response = try await transport.send(request)
      #expect(response.status == 201)
      #expect(response.headers["X-TWO"] == "2")
      #expect(response.headers.values(for: "x-one") == ["1", "3"])
      #expect(response.headers["folded"] == "a b")
      #expect(response.headers.map(\.name) == ["X-One", "x-two", "X-ONE", "Folded", "Content-Length"])
      #expect(response.url == server.url + "/a/b?c=d")
      #expect(try await text(response) == "hello")
      let got = await seen.value
      #expect(got.method == "POST")
      #expect(got.target == "/a/b?c=d")
      #expect(got["x-key"] == "secret")
      #expect(got["x-empty"] == "")
      #expect(got["content-type"] == "application/json")
      #expect(got["content-length"] == "2")
      #expect(got["accept-encoding"] == "identity")
      #expect(got["user-agent"] == "martlet")
      #expect(got["expect"] == nil)
      #expect(got.body == Array("{}".utf8))
    }

    @Test(arguments: ["GET", "DELETE", "PUT", "POST", "PATCH", "OPTIONS", "PROPFIND"])
    func `any method goes out, without a body`(_ method: String) async throws {
      let server = try LoopbackServer(answering: { request in
        answer(body: "\(request.method) \(request["content-length"] ?? "-") \(request["content-type"] ?? "-")")
      })
      let response = try await transport.send(HTTPRequest(.init(rawValue: method), server.url))
      let length = ["PUT", "POST", "PATCH"].contains(method) ? "0" : "-"
      #expect(try await text(response) == "\(method) \(length) -")
    }

    @Test func `HEAD has no body, whatever its length says`() async throws {
      let server = try LoopbackServer(answering: { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n".utf8) })
      let response = try await transport.send(HTTPRequest(.head, server.url))
      #expect(response.headers["content-length"] == "99")
      #expect(try await text(response) == "")
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 3_000_000])
    func `a body of any kind and size arrives whole`(_ size: Int) async throws {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let folder = try TemporaryFolder()
      try folder.write(bytes, to: "body")
      let server = try LoopbackServer(answering: { request in
        answer(
          headers: [("x-length", request["content-length"] ?? "-")], body: request.body == bytes ? "same" : "different")
      })
      let pieces = stride(from: 0, to: size, by: 1_000).map { Array(bytes[$0..<min(size, $0 + 1_000)]) }
      let bodies: [(HTTPRequest.Body, String)] = [
        (.bytes(bytes), "\(size)"), (.segments([[]] + pieces + [[]]), "\(size)"),
        (.file(path: folder.file("body")), "\(size)"), (.stream(HTTPBody(chunks: pieces), length: size), "\(size)"),
        (.stream(HTTPBody(chunks: pieces), length: nil), "-"),
      ]
      for (body, length) in bodies {
        let response = try await transport.send(HTTPRequest(.put, server.url, body: body))
        #expect(try await text(response) == "same")
        #expect(response.headers["x-length"] == length)
      }
      #expect(server.connections == 1)
    }

    @Test func `nothing of one request is in the next on the same connection`() async throws {
      let server = try LoopbackServer(answering: { request in
        let names = ["x-one", "x-two", "content-type", "user-agent", "content-length", "transfer-encoding"]
        let headers = names.map { "\($0)=\(request[$0] ?? "-")" }.joined(separator: " ")
        return answer(
          body: "\(request.method) \(request.target) \(headers) \(String(decoding: request.body, as: UTF8.self))")
      })
      func sent(_ request: HTTPRequest) async throws -> String { try await text(try await transport.send(request)) }
      let plain = HTTPRequest(.get, server.url + "/a")
      let long = HTTPRequest(
        .post, server.url + "/b", headers: ["x-one": "1", "content-type": "text/plain", "user-agent": "me"],
        body: .bytes(Array("a long body".utf8)))
      var short = long
      short.body = .segments([Array("sh".utf8), Array("ort".utf8)])
      var other = long
      other.headers = ["x-two": "2"]
      var empty = long
      empty.body = nil
      var streamed = long
      streamed.body = .stream(HTTPBody(Array("streamed".utf8)), length: nil)
      let missing = HTTPRequest(.post, server.url + "/b", body: .file(path: "/nowhere"))
      let requests = [plain, long, short, long, other, empty, short, plain, long, plain]
      for (index, request) in (requests + requests.reversed()).enumerated() {
        // On a transport of its own nothing can be left over.
        let alone = CurlTransport(.init(proxy: .none))
        let expected = try await text(try await alone.send(request))
        #expect(try await sent(request) == expected, "request \(index)")
        await alone.shutdown()
        if index % 3 == 0 { #expect(await code { _ = try await transport.send(missing) } == .bodyUnavailable) }
        if index % 4 == 0 {
          streamed.body = .stream(HTTPBody(Array("streamed".utf8)), length: nil)
          #expect(
            try await sent(streamed)
              == "POST /b x-one=1 x-two=- content-type=text/plain user-agent=me content-length=- transfer-encoding=chunked streamed"
          )
        }
      }
    }

    @Test func `a chunk is there as soon as it is sent`() async throws {
      let (first, second) = (Promise<Void>(), Promise<Void>())
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        first.wait()
        connection.write("3\r\none\r\n")
        second.wait()
        connection.write("3\r\ntwo\r\n0\r\nTrailer: x\r\n\r\n")
      }
      let response = try await transport.send(HTTPRequest(.get, server.url))
      #expect(response.headers["trailer"] == nil)
      var chunks = response.body.makeAsyncIterator()
      first.keep()
      #expect(try await chunks.next() == Array("one".utf8))
      second.keep()
      #expect(try await chunks.next() == Array("two".utf8))
      #expect(try await chunks.next() == nil)
      #expect(try await chunks.next() == nil)
    }

    @Test func `connections are used again, also one that the server has closed meanwhile`() async throws {
      let closed = Promise<Void>()
      let server = try LoopbackServer { connection in
        for _ in 0..<2 {
          guard connection.readRequest() != nil else { return }
          connection.write(answer(body: "\(connection.number)"))
        }
        connection.close()
        closed.keep()
      }
      for expected in ["1", "1", "2"] {
        let request = HTTPRequest(.post, server.url, body: .bytes([1, 2, 3]))
        #expect(try await text(transport.send(request)) == expected)
        if expected == "1", server.connections == 2 { await closed.value }
      }
    }

    @Test func `a compressed body is decoded, asked for or not`() async throws {
      // gzip of "hello hello hello"
      let packed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40,
        0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
      ]
      let server = try LoopbackServer(answering: { request in
        answer(
          headers: [("Content-Encoding", "gzip"), ("X-Asked", request["accept-encoding"] ?? "")], bytes: packed)
      })
      for encoding in [HTTPRequest.ContentEncoding.identity, .compressed] {
        let response = try await transport.send(HTTPRequest(.get, server.url, contentEncoding: encoding))
        #expect(response.headers["x-asked"]?.contains("gzip") == (encoding == .compressed))
        #expect(try await text(response) == "hello hello hello")
      }
    }

    @Test func `many requests run at the same time`() async throws {
      let all = Locked(0)
      let everyoneIsHere = Promise<Void>()
      let server = try LoopbackServer { connection in
        guard let request = connection.readRequest() else { return }
        let count = all.withLock { count in
          count += 1
          return count
        }
        if count == 100 { everyoneIsHere.keep() }
        everyoneIsHere.wait()
        connection.write(answer(body: request.target))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(.get, server.url + "/\(number)"))
            #expect(try await text(response) == "/\(number)")
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func `a proxy gets the whole URL`() async throws {
      let proxy = try LoopbackServer(answering: { answer(body: $0.target) })
      let transport = CurlTransport(.init(proxy: .url(proxy.url)))
      let response = try await transport.send(HTTPRequest(.get, "http://example.invalid/x?y"))
      #expect(try await text(response) == "http://example.invalid/x?y")
    }

    // MARK: Errors

    @Test(arguments: [
      "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http:/x", "http://", "https://a b/",
      "http://a/\r\nx",
      "http://a:99999/", "http://[::1/", "//host/x",
    ])
    func `what is no http URL is refused`(_ url: String) async {
      #expect(await code { _ = try await transport.send(HTTPRequest(.get, url)) } == .invalidURL)
    }

    @Test(arguments: [
      ("a", "b\r\nevil: 1"), ("a", "b\nevil: 1"), ("a", "\u{0}"), ("a\r\nevil", "b"), ("", "b"), ("a b", "c"),
      ("a:", "b"),
    ])
    func `a header that would smuggle in another is refused`(_ name: String, _ value: String) async {
      let request = HTTPRequest(.get, "http://127.0.0.1:1/", headers: HTTPHeaders([(name, value)]))
      #expect(await code { _ = try await transport.send(request) } == .invalidRequest)
    }

    @Test func `a host that does not exist cannot be resolved`() async {
      #expect(
        await code { _ = try await transport.send(HTTPRequest(.get, "http://no-such-host.invalid/")) } == .cannotResolve
      )
    }

    @Test func `a closed port cannot be connected to`() async throws {
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(
          HTTPRequest(.get, "http://user:pass@127.0.0.1:\(LoopbackServer.closedPort)/path?key=secret"))
      }
      #expect(error?.code == .cannotConnect)
      #expect(error?.isTransient == true)
      #expect(error?.message.contains("http://127.0.0.1:\(LoopbackServer.closedPort)") == true)
      for secret in ["secret", "user", "pass@"] { #expect(error.map { "\($0)".contains(secret) } == false) }
    }

    @Test func `https to a server that does not speak it is a TLS error`() async throws {
      let server = try LoopbackServer { connection in
        _ = connection.read(1)
        connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      }
      #expect(
        await code { _ = try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(server.port)/")) } == .tls)
    }

    @Test(arguments: [
      ("", HTTPError.Code.connectionLost),
      ("HTTP/1.1 200 OK\r\nContent-Le", .connectionLost),
      ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .invalidResponse),
      ("HTTP/1.1 abc OK\r\n\r\n", .invalidResponse),
    ])
    func `a response without a proper head is an error`(_ head: String, _ expected: HTTPError.Code) async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(head)
      }
      #expect(await code { _ = try await transport.send(HTTPRequest(.get, server.url)) } == expected)
    }

    @Test func `a head over the limit is an error`() async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\n")
        for _ in 0..<300 { connection.write("x: \(String(repeating: "y", count: 1_000))\r\n") }
        connection.waitUntilClosed()
      }
      #expect(await code { _ = try await transport.send(HTTPRequest(.get, server.url)) } == .tooLarge)
    }

    @Test(arguments: [
      "Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
      "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzzz\r\n",
    ])
    func `a body that is cut off gives what came, and then an error`(_ rest: String) async throws {
      for resets in [false, true] {
        let received = Promise<Void>()
        let server = try LoopbackServer { connection in
          guard connection.readRequest() != nil else { return }
          connection.write("HTTP/1.1 200 OK\r\n" + rest)
          // A reset throws away what the client has not read.
          received.wait()
          if resets { connection.reset() }
        }
        let response = try await transport.send(HTTPRequest(.get, server.url))
        var bytes: [UInt8] = []
        let error = await #expect(throws: HTTPError.self) {
          for try await chunk in response.body {
            bytes += chunk
            received.keep()
          }
        }
        #expect(error?.code == .connectionLost)
        #expect(bytes == Array("abc".utf8))
      }
    }

    @Test func `a body over the limit of its reader is an error`() async throws {
      let server = try LoopbackServer(answering: { _ in answer(body: "0123456789") })
      let response = try await transport.send(HTTPRequest(.get, server.url))
      #expect(await code { _ = try await response.body.bytes(limit: 9) } == .tooLarge)
      let other = try await transport.send(HTTPRequest(.get, server.url))
      #expect(try await other.body.bytes(limit: 10).count == 10)
    }

    @Test func `a file to upload that is not there is named`() async throws {
      let folder = try TemporaryFolder()
      for path in [folder.file("missing"), folder.path] {
        let error = await #expect(throws: HTTPError.self) {
          try await transport.send(HTTPRequest(.put, "http://127.0.0.1:1/", body: .file(path: path)))
        }
        #expect(error?.code == .bodyUnavailable)
        #expect(error?.message.contains(path) == true)
      }
    }

    @Test func `a stream to upload that fails or is too short ends the request`() async throws {
      struct Failure: Error {}
      final class Failing: HTTPBodySource {
        private let calls = Locked(0)
        func next() async throws -> [UInt8]? {
          let call = calls.withLock { calls in
            calls += 1
            return calls
          }
          if call == 1 { return [1, 2, 3] }
          throw Failure()
        }
      }
      let server = try LoopbackServer(answering: { _ in answer() })
      let error = await #expect(throws: HTTPError.self) {
        try await transport.send(HTTPRequest(.post, server.url, body: .stream(HTTPBody(Failing()), length: nil)))
      }
      #expect(error?.code == .bodyUnavailable)
      #expect(error?.underlying is Failure)
      let short = HTTPRequest(.post, server.url, body: .stream(HTTPBody([1, 2, 3]), length: 4))
      #expect(await code { _ = try await transport.send(short) } == .bodyUnavailable)
    }

    @Test func `a server that answers before it has read the upload is heard`() async throws {
      let server = try LoopbackServer { connection in
        _ = connection.readHead()
        connection.write(answer(413, body: "too much"))
        connection.waitUntilClosed()
      }
      let endless = HTTPBody(EndlessSource())
      let response = try await transport.send(HTTPRequest(.post, server.url, body: .stream(endless, length: nil)))
      #expect(response.status == 413)
      #expect(try await text(response) == "too much")
    }

    // MARK: Secrets

    @Test func `nothing secret is in a description`() {
      let request = HTTPRequest(
        .post, "https://user:pass@example.org/v1?key=secret#frag",
        headers: ["authorization": "Bearer secret", "x-api-key": "secret"],
        body: .bytes(Array("secret".utf8)))
      var dumped = ""
      dump(request, to: &dumped)
      dump(request.headers, to: &dumped)
      for text in ["\(request)", String(reflecting: request), "\(request.headers)", "\(request.headers[0])", dumped] {
        for secret in ["secret", "user", "pass"] { #expect(!text.contains(secret), "\(text)") }
      }
      #expect("\(request)" == "POST https://example.org/v1")
      #expect("\(request.headers)" == "[authorization, x-api-key]")
    }
  }

  /// Never ends.
  final class EndlessSource: HTTPBodySource {
    func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      await Task.yield()
      return [UInt8](repeating: 0, count: 16 << 10)
    }
  }
#endif
