#if os(Linux)
  import Foundation
  import Glibc
  import MartletHTTP
  import MartletTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct CurlBackPressureTests {
    let transport = CurlTransport(.init(proxy: .none))
    static let piece = [UInt8](repeating: 0x61, count: 64 << 10)

    @Test func `a reader that stops stops the server, and goes on where it was`() async throws {
      let stalled = Promise<Int>()
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \((64 << 10) * 4_096)\r\n\r\n")
        // Loopback sockets buffer a few megabytes by themselves.
        let taken = connection.writeUntilStalled(Self.piece, repeating: 4_096, patience: 400) ?? -1
        stalled.keep(taken)
        var left = (64 << 10) * 4_096 - taken
        while left > 0, connection.write(Array(Self.piece.prefix(left))) { left -= min(left, 64 << 10) }
      }
      // The wait of the reader is longer than the idle time: a slow reader is not a silent server.
      let request = HTTPRequest(.get, server.url, timeouts: .init(idle: .milliseconds(200)))
      let response = try await transport.send(request)
      let taken = await stalled.value
      print("MEASURE the server could send \(taken >> 10) KiB to a reader that did not read")
      #expect(taken >= 0 && taken < 24 << 20)
      var count = 0
      for try await chunk in response.body { count += chunk.count }
      #expect(count == (64 << 10) * 4_096)
    }

    @Test(
      .enabled(
        if: ProcessInfo.processInfo.environment["MARTLET_SANITIZED"] == nil, "a sanitizer keeps memory that was freed"))
    func `500 MB pass through in flat memory`() async throws {
      let server = try LoopbackServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \((64 << 10) * 8_000)\r\n\r\n")
        for _ in 0..<8_000 where !connection.write(Self.piece) { return }
      }
      let response = try await transport.send(HTTPRequest(.get, server.url))
      let start = ContinuousClock.now
      var (count, nextLook, before, highest) = (0, 0, 0, 0)
      for try await chunk in response.body {
        count += chunk.count
        if count >= nextLook {
          nextLook += 8 << 20
          let memory = try #require(residentMemory())
          if before == 0, count >= 32 << 20 { before = memory }
          highest = max(highest, memory)
        }
      }
      let megabytes = Double(count) / 1e6
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      print(
        "MEASURE \(Int(megabytes)) MB, \(Int(megabytes / seconds)) MB/s; resident \(before >> 20) MiB after 32 MiB, at most \(highest >> 20) MiB"
      )
      #expect(count == (64 << 10) * 8_000)
      // Other tests run in the same process meanwhile.
      #expect(highest - before < 128 << 20)
    }
  }
#endif
