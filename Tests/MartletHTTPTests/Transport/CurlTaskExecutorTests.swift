#if os(Linux)
  import Glibc
  import MartletHTTP
  import MartletSync
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlTaskExecutorTests {
    @Test func `tasks run on the transport's thread`() async throws {
      let transport = CurlTransport(.init(proxy: .none))
      let threads = await withTaskExecutorPreference(transport.taskExecutor) {
        let first = Self.thread()
        await Task.yield()
        return [first, Self.thread()]
      }
      #expect(threads[0] == threads[1])
      #expect(threads[0] != Self.thread())
      await transport.shutdown()
    }

    @Test func `tasks of a transport that was shut down still run`() async throws {
      let transport = CurlTransport(.init(proxy: .none))
      let executor = transport.taskExecutor
      let count = Locked(0)
      await withTaskExecutorPreference(executor) {
        for _ in 0..<100 {
          await transport.shutdown()
          count.withLock { $0 += 1 }
          await Task.yield()
        }
      }
      #expect(count.withLock { $0 } == 100)
      await transport.shutdown()
    }

    @Test func `many tasks that never wait do not keep requests from the sockets`() async throws {
      let transport = CurlTransport(.init(proxy: .none))
      let server = try LoopbackServer(answering: { _ in answer(body: "ok") })
      let isDone = Locked(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask(executorPreference: transport.taskExecutor) {
            while !isDone.withLock({ $0 }) { await Task.yield() }
          }
        }
        group.addTask(executorPreference: transport.taskExecutor) {
          defer { isDone.withLock { $0 = true } }
          let response = try await transport.send(HTTPRequest(.get, server.url))
          #expect(try await response.body.bytes(limit: 10) == Array("ok".utf8))
        }
        try await group.waitForAll()
      }
      await transport.shutdown()
    }

    private static func thread() -> pthread_t { pthread_self() }
  }
#endif
