#if os(Linux)
  import MartletHTTP
  import MartletSync
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlCancellationTests {
    let transport = CurlTransport(.init(proxy: .none))

    /// Where the server is when its client goes away.
    enum Stage: CaseIterable { case beforeHead, afterHead, inBody }

    /// A server that stops at a stage, and tells when the client closes.
    private func server(
      stoppingAt stage: Stage, reached: Promise<Void>, closed: Promise<ContinuousClock.Instant>
    ) throws -> LoopbackServer {
      try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        if stage != .beforeHead { connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") }
        if stage == .inBody { connection.write("3\r\nabc\r\n") }
        reached.keep()
        connection.waitUntilClosed()
        closed.keep(.now)
      }
    }

    @Test(arguments: Stage.allCases) func `a cancelled task closes the connection at once`(_ stage: Stage) async throws
    {
      let (reached, closed) = (Promise<Void>(), Promise<ContinuousClock.Instant>())
      let server = try server(stoppingAt: stage, reached: reached, closed: closed)
      let bytes = Locked<[UInt8]>([])
      let got = Promise<Void>()
      let task = Task {
        let response = try await transport.send(HTTPRequest(.get, server.url))
        got.keep()
        for try await chunk in response.body {
          bytes.withLock { $0 += chunk }
          got.keep()
        }
      }
      await reached.value
      if stage != .beforeHead { await got.value }
      let start = ContinuousClock.now
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      let delay = await closed.value - start
      print("MEASURE cancelled \(stage): the server sees the connection close after \(delay)")
      #expect(delay < .seconds(1))
    }

    @Test func `a body that is finished with leaves its connection for the next request`() async throws {
      let finished = Locked(0)
      let server = try LoopbackServer { connection in
        while connection.readRequest() != nil {
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
          let before = finished.withLock { $0 }
          while finished.withLock({ $0 }) == before {}
          connection.write("3\r\ndef\r\n0\r\n\r\n")
        }
      }
      for _ in 0..<10 {
        do {
          let response = try await transport.send(HTTPRequest(.get, server.url))
          for try await _ in response.body { break }
          response.body.finish()
        }
        finished.withLock { $0 += 1 }
        // The last bytes need a moment; a request that comes too early only takes another connection.
        for _ in 0..<2_000 { await Task.yield() }
      }
      #expect(server.connections < 10)
    }

    @Test(arguments: [true, false])
    func `a body that is finished with and does not end, or floods, closes its connection soon`(_ floods: Bool)
      async throws
    {
      let closed = Promise<Void>()
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        if floods { while connection.write("3\r\nabc\r\n") {} } else { connection.waitUntilClosed() }
        closed.keep()
      }
      do {
        let response = try await transport.send(HTTPRequest(.get, server.url))
        for try await _ in response.body { break }
        response.body.finish()
      }
      await closed.value
    }

    @Test func `a body that nobody reads on closes its connection`() async throws {
      for stage in [Stage.afterHead, .inBody] {
        let (reached, closed) = (Promise<Void>(), Promise<ContinuousClock.Instant>())
        let server = try server(stoppingAt: stage, reached: reached, closed: closed)
        do {
          let response = try await transport.send(HTTPRequest(.get, server.url))
          if stage == .inBody { for try await _ in response.body { break } }
        }
        _ = await closed.value
      }
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
      let server = try LoopbackServer(answering: { _ in answer() })
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        _ = try await transport.send(HTTPRequest(.get, server.url))
      }
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
      #expect(server.connections == 0)
    }

    @Test func `a cancelled reader never sees a normal end, even of a body that is there`() async throws {
      let server = try LoopbackServer(answering: { _ in answer(body: "abc") })
      let response = try await transport.send(HTTPRequest(.get, server.url))
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        for try await _ in response.body {}
      }
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func `cancelling an upload closes the connection`() async throws {
      let (reached, closed) = (Promise<Void>(), Promise<Void>())
      let server = try LoopbackServer { connection in
        _ = connection.readHead()
        reached.keep()
        connection.waitUntilClosed()
        closed.keep()
      }
      let task = Task {
        try await transport.send(HTTPRequest(.post, server.url, body: .stream(HTTPBody(EndlessSource()), length: nil)))
      }
      await reached.value
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { _ = try result.get() }
      await closed.value
    }

    @Test func `cancellation at any moment leaves a transport that works`() async throws {
      let server = try LoopbackServer { connection in
        while connection.readRequest() != nil {
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          for _ in 0..<20 { connection.write("a\r\n0123456789\r\n") }
          guard connection.write("0\r\n\r\n") else { return }
        }
      }
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededRandom(seed)
      let outcomes = await withTaskGroup(of: String.self) { group in
        for _ in 0..<400 {
          let yields = Int.random(in: 0..<300, using: &random)
          group.addTask {
            let task = Task {
              let response = try await transport.send(HTTPRequest(.get, server.url))
              return try await response.body.bytes(limit: 1_000).count
            }
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let count): return "\(count)"
            case .failure(let error): return error is CancellationError ? "cancelled" : "\(error)"
            }
          }
        }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(Set(outcomes.keys).isSubset(of: ["200", "cancelled"]), "seed \(seed): \(outcomes)")
      let response = try await transport.send(HTTPRequest(.get, server.url))
      #expect(try await response.body.bytes(limit: 1_000).count == 200)
    }

    @Test func `shutting down ends what runs, and the next request starts anew`() async throws {
      let (reached, closed) = (Promise<Void>(), Promise<ContinuousClock.Instant>())
      let server = try server(stoppingAt: .inBody, reached: reached, closed: closed)
      let response = try await transport.send(HTTPRequest(.get, server.url))
      var chunks = response.body.makeAsyncIterator()
      #expect(try await chunks.next() == Array("abc".utf8))
      await transport.shutdown()
      _ = await closed.value
      let error = await #expect(throws: HTTPError.self) { _ = try await chunks.next() }
      #expect(error?.code == .shutDown)
      await transport.shutdown()
      let other = try LoopbackServer(answering: { _ in answer(body: "again") })
      let again = try await transport.send(HTTPRequest(.get, other.url))
      #expect(try await again.body.bytes(limit: 10) == Array("again".utf8))
    }
  }
#endif
