#if os(Linux)
  import Glibc
  import MartletHTTP
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlTimeoutTests {
    let transport = CurlTransport(.init(proxy: .none))
    static let short = Duration.milliseconds(150)

    private func code(_ request: HTTPRequest) async -> HTTPError.Code? {
      await #expect(throws: HTTPError.self) {
        for try await _ in try await transport.send(request).body {}
      }?.code
    }

    @Test(arguments: [
      "", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc",
    ])
    func `silence ends the request at any point`(_ start: String) async throws {
      for timeouts in [HTTPRequest.Timeouts(idle: Self.short), .init(idle: nil, total: Self.short)] {
        let closed = Promise<Void>()
        let server = try LoopbackServer { connection in
          guard connection.readRequest() != nil else { return }
          connection.write(start)
          connection.waitUntilClosed()
          closed.keep()
        }
        let code = await code(HTTPRequest(.get, server.url, timeouts: timeouts))
        #expect(code == (timeouts.total == nil ? .idleTimeout : .totalTimeout))
        await closed.value
      }
    }

    @Test func `bytes that keep coming keep a request alive, but for the total time`() async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<12 {
          guard connection.write("1\r\nx\r\n") else { return }
          usleep(50_000)
        }
        connection.write("0\r\n\r\n")
      }
      let patient = try await transport.send(HTTPRequest(.get, server.url, timeouts: .init(idle: .milliseconds(500))))
      #expect(try await patient.body.bytes(limit: 100).count == 12)
      let limited = HTTPRequest(.get, server.url, timeouts: .init(idle: .milliseconds(500), total: .milliseconds(300)))
      #expect(await code(limited) == .totalTimeout)
    }

    @Test func `the total time covers redirects`() async throws {
      let server = try LoopbackServer { connection in
        while connection.readRequest() != nil {
          usleep(60_000)
          guard connection.write(answer(302, headers: [("Location", "/again")])) else { return }
        }
      }
      let request = HTTPRequest(
        .get, server.url, timeouts: .init(total: .milliseconds(250)), redirects: .follow(limit: 1_000))
      #expect(await code(request) == .totalTimeout)
    }

    @Test func `a host that does not take the connection is given up`() async throws {
      // A listener whose queue is full takes no more connections.
      let full = try FullListener()
      let request = HTTPRequest(.get, "http://127.0.0.1:\(full.port)/", timeouts: .init(connect: Self.short))
      #expect(await code(request) == .connectTimeout)
    }
  }
#endif
