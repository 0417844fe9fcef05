#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
  import MartletSync
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
    let transport = CurlTransport(.init(proxy: .none))

    private func text(_ response: HTTPResponse) async throws -> String {
      String(decoding: try await response.body.bytes(limit: 64 << 20), as: UTF8.self)
    }

    private static func reply(_ text: String) -> HTTPResponse {
      HTTPResponse(status: 200, headers: ["content-type": "text/plain"], body: HTTPBody(Array(text.utf8)))
    }

    // MARK: Requests and answers

    @Test func `a request reaches its handler whole, and the answer comes back`() async throws {
      let route = HTTPRoute(.post, "/a/{id}/b") { request in
        let body = String(decoding: try await request.body.bytes(limit: 100), as: UTF8.self)
        return HTTPResponse(
          status: 201, headers: ["x-one": "1", "X-Two": request.headers["x-in"] ?? ""],
          body: HTTPBody(Array("\(request.parameters["id"] ?? "") \(request.query("q") ?? "") \(body)".utf8)))
      }
      try await HTTPServer.withServer(routes: [route]) { server in
        let response = try await transport.send(
          HTTPRequest(
            .post, server.url + "/a/%C3%A9%20x/b?p=1&q=%2B+%26", headers: ["x-in": "5"],
            body: .bytes(Array("body".utf8))))
        #expect(response.status == 201)
        #expect(response.headers["X-One"] == "1")
        #expect(response.headers["x-two"] == "5")
        #expect(response.headers["content-length"] == "13")
        #expect(try await text(response) == "é x + & body")
      }
    }

    @Test func `each route answers its own, and a wrong path or method says so`() async throws {
      let routes = [
        HTTPRoute(.get, "/") { _ in Self.reply("root") },
        HTTPRoute(.get, "/x") { _ in Self.reply("x") },
        HTTPRoute(.delete, "/x") { _ in Self.reply("gone") },
        HTTPRoute(.get, "/files/{path...}") { request in Self.reply(request.parameters["path"] ?? "") },
      ]
      let expected: [(HTTPRequest.Method, String, Int, String)] = [
        (.get, "/", 200, "root"), (.get, "", 200, "root"), (.get, "/x", 200, "x"), (.get, "/x/", 200, "x"),
        (.delete, "/x", 200, "gone"), (.post, "/x", 405, "This path takes GET, DELETE.\n"),
        (.get, "/y", 404, "There is nothing at this path.\n"), (.get, "/files/a/b%2Fc", 200, "a/b/c"),
        (.get, "/files", 404, "There is nothing at this path.\n"),
        (.get, "/files/%2e%2e/x", 400, "The path of the request is not valid.\n"),
        (.get, "/files/%zz", 400, "The path of the request is not valid.\n"),
        (.get, "/files/%ff", 400, "The path of the request is not valid.\n"), (.head, "/x", 200, ""),
      ]
      try await HTTPServer.withServer(routes: routes) { server in
        for (method, path, status, body) in expected {
          let response = try await transport.send(HTTPRequest(method, server.url + path))
          #expect(response.status == status, "\(method) \(path)")
          #expect(try await text(response) == body, "\(method) \(path)")
          if status == 405 { #expect(response.headers["allow"] == "GET, DELETE") }
        }
      }
    }

    @Test func `what a handler throws becomes a status without details`() async throws {
      struct Secret: Error { let key = "secret" }
      let routes = [
        HTTPRoute(.get, "/own") { _ in throw HTTPStatusError(409, "Not now.", headers: ["retry-after": "3"]) },
        HTTPRoute(.get, "/other") { _ in throw Secret() },
        HTTPRoute(.post, "/large") { request in Self.reply("\(try await request.body.bytes(limit: 3).count)") },
      ]
      try await HTTPServer.withServer(routes: routes) { server in
        let own = try await transport.send(HTTPRequest(.get, server.url + "/own"))
        #expect(own.status == 409)
        #expect(own.headers["retry-after"] == "3")
        #expect(try await text(own) == "Not now.\n")
        let other = try await transport.send(HTTPRequest(.get, server.url + "/other"))
        #expect(other.status == 500)
        #expect(try await text(other) == "The server failed.\n")
        let large = try await transport.send(HTTPRequest(.post, server.url + "/large", body: .bytes([1, 2, 3, 4])))
        #expect(large.status == 413)
      }
    }

    @Test func `connections are kept, and many run at the same time`() async throws {
      let waiting = Locked(0)
      let all = Promise<Void>()
      let routes = [
        HTTPRoute(.get, "/{n}") { request in
          let count = waiting.withLock { count in
            count += 1
            return count
          }
          if count == 64 { all.keep() }
          await all.value
          return Self.reply(request.parameters["n"] ?? "")
        }
      ]
      try await HTTPServer.withServer(routes: routes) { server in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<64 {
            group.addTask {
              let response = try await transport.send(HTTPRequest(.get, server.url + "/\(number)"))
              #expect(try await text(response) == "\(number)")
            }
          }
          try await group.waitForAll()
        }
        for number in 0..<100 {
          let response = try await transport.send(HTTPRequest(.get, server.url + "/\(number)"))
          #expect(response.headers["connection"] == nil)
          #expect(try await text(response) == "\(number)")
        }
      }
    }

    // MARK: Streams

    @Test func `events arrive as they are made`() async throws {
      let made = (Promise<Void>(), Promise<Void>())
      let route = HTTPRoute(.get, "/events") { _ in
        HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(Steps(made)))
      }
      try await HTTPServer.withServer(routes: [route]) { server in
        let response = try await transport.send(HTTPRequest(.get, server.url + "/events"))
        #expect(response.mediaType == "text/event-stream")
        var decoder = ServerSentEventDecoder()
        var chunks = response.body.makeAsyncIterator()
        made.0.keep()
        decoder.append(try #require(try await chunks.next()))
        #expect(try decoder.next()?.text == "1")
        made.1.keep()
        decoder.append(try #require(try await chunks.next()))
        #expect(try decoder.next()?.text == "2")
        #expect(try await chunks.next() == nil)
      }
    }

    @Test func `a body that fails half-way is no whole answer`() async throws {
      let route = HTTPRoute(.get, "/") { _ in HTTPResponse(status: 200, body: HTTPBody(Broken())) }
      try await HTTPServer.withServer(routes: [route]) { server in
        let response = try await transport.send(HTTPRequest(.get, server.url))
        let error = await #expect(throws: HTTPError.self) { try await response.body.bytes(limit: 100) }
        #expect(error?.code == .connectionLost)
      }
    }

    @Test func `a slow client stops the producer`() async throws {
      let source = Endless()
      let route = HTTPRoute(.get, "/") { _ in HTTPResponse(status: 200, body: HTTPBody(source)) }
      try await HTTPServer.withServer(routes: [route]) { server in
        let response = try await transport.send(HTTPRequest(.get, server.url))
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        // Reading nothing, the producer must come to a rest: two looks far apart see the same count.
        var last = -1
        while source.count != last {
          last = source.count
          try await Task.sleep(for: .milliseconds(200))
        }
        #expect(last < 2_000)
      }
    }

    @Test func `a large upload streams through, and back`() async throws {
      let route = HTTPRoute(.post, "/") { request in
        var count = 0
        for try await chunk in request.body { count += chunk.count }
        return Self.reply("\(count)")
      }
      try await HTTPServer.withServer(.init(bodyLimit: 64 << 20), routes: [route]) { server in
        let bytes = [UInt8](repeating: 1, count: 20 << 20)
        let whole = try await transport.send(HTTPRequest(.post, server.url, body: .bytes(bytes)))
        #expect(try await text(whole) == "\(bytes.count)")
        let chunks = HTTPBody(chunks: (0..<20).map { _ in [UInt8](repeating: 1, count: 1 << 20) })
        let streamed = try await transport.send(HTTPRequest(.post, server.url, body: .stream(chunks, length: nil)))
        #expect(try await text(streamed) == "\(bytes.count)")
      }
    }

    @Test func `a handler that does not read the body still answers`() async throws {
      let route = HTTPRoute(.post, "/") { _ in Self.reply("done") }
      try await HTTPServer.withServer(routes: [route]) { server in
        let request = HTTPRequest(.post, server.url, body: .bytes([UInt8](repeating: 1, count: 5 << 20)))
        let response = try await transport.send(request)
        #expect(try await text(response) == "done")
        let again = try await transport.send(request)
        #expect(try await text(again) == "done")
      }
    }

    // MARK: Limits and ends

    @Test func `bodies over the limit are refused, with and without a length`() async throws {
      let route = HTTPRoute(.post, "/") { request in
        var count = 0
        for try await chunk in request.body { count += chunk.count }
        return Self.reply("\(count)")
      }
      try await HTTPServer.withServer(.init(bodyLimit: 1_000), routes: [route]) { server in
        for size in [1_000, 1_001] {
          let bytes = [UInt8](repeating: 1, count: size)
          for body in [HTTPRequest.Body.bytes(bytes), .stream(HTTPBody(bytes), length: nil)] {
            let response = try await transport.send(HTTPRequest(.post, server.url, body: body))
            #expect(response.status == (size == 1_000 ? 200 : 413))
            _ = try await text(response)
          }
        }
      }
    }

    @Test func `a head over the limit is refused`() async throws {
      try await HTTPServer.withServer(routes: [HTTPRoute(.get, "/") { _ in Self.reply("") }]) { server in
        let large = HTTPRequest(.get, server.url, headers: ["x": String(repeating: "y", count: 64 << 10)])
        let refused = try await transport.send(large)
        #expect(refused.status == 431)
        let taken = try await transport.send(HTTPRequest(.get, server.url))
        #expect(taken.status == 200)
      }
    }

    @Test func `a client that goes away cancels its handler, before and during the answer`() async throws {
      let (started, cancelled) = (Promise<Void>(), Promise<Void>())
      let released = Promise<Void>()
      let routes = [
        HTTPRoute(.get, "/wait") { _ in
          started.keep()
          await withTaskCancellationHandler {
            await cancelled.value
          } onCancel: {
            cancelled.keep()
          }
          return Self.reply("")
        },
        HTTPRoute(.get, "/stream") { _ in HTTPResponse(status: 200, body: HTTPBody(Endless(released: released))) },
      ]
      try await HTTPServer.withServer(routes: routes) { server in
        let task = Task { try await transport.send(HTTPRequest(.get, server.url + "/wait")) }
        await started.value
        task.cancel()
        await cancelled.value
        do {
          let response = try await transport.send(HTTPRequest(.get, server.url + "/stream"))
          for try await _ in response.body { break }
        }
        await released.value
      }
    }

    @Test func `stopping lets requests finish, then cancels them, and closes all connections`() async throws {
      let (started, release) = (Promise<Void>(), Promise<Void>())
      let routes = [
        HTTPRoute(.get, "/polite") { _ in
          started.keep()
          await release.value
          return Self.reply("finished")
        },
        HTTPRoute(.get, "/stuck") { _ in
          started.keep()
          try await Task.sleep(for: .seconds(600))
          return Self.reply("never")
        },
      ]
      let server = try HTTPServer(routes: routes)
      let polite = Task { try await text(try await transport.send(HTTPRequest(.get, server.url + "/polite"))) }
      await started.value
      let stopped = Task { await server.stop(grace: .seconds(60)) }
      release.keep()
      #expect(try await polite.value == "finished")
      await stopped.value
      await server.stop()
      let error = await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(.get, server.url)) }
      #expect(error?.code == .cannotConnect)

      let other = try HTTPServer(routes: [routes[1]])
      let stuck = Task { try await transport.send(HTTPRequest(.get, other.url + "/stuck")).status }
      while other.requestsUnderWay == 0 { await Task.yield() }
      await other.stop(grace: .zero)
      #expect(try await stuck.value == 503)
    }

    @Test func `a port that is taken is named, and free again after the stop`() async throws {
      let first = try HTTPServer(routes: [])
      let error = #expect(throws: HTTPServerError.self) { try HTTPServer(.init(port: first.port), routes: []) }
      #expect(error?.code == .portTaken)
      #expect(error?.message.contains("\(first.port)") == true)
      await first.stop()
      let second = try HTTPServer(.init(port: first.port), routes: [])
      #expect(second.port == first.port)
      await second.stop()
      let unknown = #expect(throws: HTTPServerError.self) { try HTTPServer(.init(address: "203.0.113.1"), routes: []) }
      #expect(unknown?.code == .cannotListen)
    }
  }

  /// Two events, each when it is asked for.
  private final class Steps: HTTPBodySource {
    private let made: (Promise<Void>, Promise<Void>)
    private let count = Locked(0)

    init(_ made: (Promise<Void>, Promise<Void>)) { self.made = made }

    func next() async throws -> [UInt8]? {
      let step = count.withLock { count in
        count += 1
        return count
      }
      if step > 2 { return nil }
      await (step == 1 ? made.0 : made.1).value
      return Array("data: \(step)\n\n".utf8)
    }
  }

  private final class Broken: HTTPBodySource {
    private let count = Locked(0)

    func next() async throws -> [UInt8]? {
      let step = count.withLock { count in
        count += 1
        return count
      }
      if step > 1 { throw HTTPError(.connectionLost, "The source broke.") }
      return Array("half".utf8)
    }
  }

  /// Never ends, counts what it was asked for, and tells when it is let go.
  private final class Endless: HTTPBodySource {
    private let released: Promise<Void>
    private let calls = Locked(0)

    init(released: Promise<Void> = Promise()) { self.released = released }

    var count: Int { calls.withLock { $0 } }

    deinit { released.keep() }

    func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      calls.withLock { $0 += 1 }
      return [UInt8](repeating: 0x61, count: 16 << 10)
    }
  }
#endif
