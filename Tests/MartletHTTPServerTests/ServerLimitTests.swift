#if os(Linux)
  import Foundation
  import Glibc
  import MartletHTTP
  import MartletHTTPServer
  import MartletSync
  import MartletTesting
  import Testing

  /// What holds clients within bounds, over plain sockets.
  @Suite(.timeLimit(.minutes(5))) struct ServerLimitTests {
    /// A connection that sends what it is told and reads until the server closes.
    final class RawConnection: Sendable {
      private let descriptor: Int32

      init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
        if result != 0 { throw HTTPStatusError(0, "cannot connect: \(String(cString: strerror(errno)))") }
      }

      deinit { close(descriptor) }

      func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }

      /// What comes until `end`, or until the server closes the connection.
      func read(until end: String? = nil) async -> String {
        await withCheckedContinuation { continuation in
          // The thread of a blocking read is none of the cooperative ones.
          let thread = Thread { [descriptor] in
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while end.map({ !text.hasSuffix($0) }) ?? true {
              let count = recv(descriptor, &buffer, buffer.count, 0)
              if count <= 0 { break }
              text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            continuation.resume(returning: text)
          }
          thread.start()
        }
      }
    }

    private static let hello = HTTPRoute(.get, "/hello") { _ in
      HTTPResponse(status: 200, headers: ["content-type": "text/plain"], body: HTTPBody(Array("hi\n".utf8)))
    }

    @Test func `requests follow each other on one connection, also without waiting for the answers`() async throws {
      try await HTTPServer.withServer(routes: [Self.hello]) { server in
        let connection = try RawConnection(port: server.port)
        let request = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
        connection.send(request + request + "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let text = await connection.read()
        #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 4, "\(text)")
        #expect(text.hasSuffix("hi\n"))
      }
    }

    @Test(arguments: [
      ("http://there.example/echo/a%20b?q=1", 200, "there.example /echo/a%20b?q=1 1"),
      ("HTTP://there.example:81/echo/a?q=1", 200, "there.example:81 /echo/a?q=1 1"),
      ("https://[::1]:81/echo/a", 200, "[::1]:81 /echo/a -"), ("/echo/http://x/a?q=2", 404, nil),
      ("http://there.example", 200, "there.example / -"), ("http://there.example?q=3", 200, "there.example /?q=3 3"),
      ("http:///echo/a", 400, nil), ("http://user@there.example/echo/a", 400, nil), ("ftp://there.example/", 404, nil),
    ])
    func `a target that is a whole URL is taken, and its host is the one that counts`(
      target: String, status: Int, body: String?
    ) async throws {
      @Sendable func echo(_ request: HTTPServerRequest) -> HTTPResponse {
        let words = [request.headers["host"] ?? "", request.target, request.query("q") ?? "-"]
        return HTTPResponse(status: 200, body: HTTPBody(Array(words.joined(separator: " ").utf8)))
      }
      let routes = [HTTPRoute(.get, "/echo/{a}") { echo($0) }, HTTPRoute(.get, "/") { echo($0) }]
      try await HTTPServer.withServer(routes: routes) { server in
        let connection = try RawConnection(port: server.port)
        connection.send("GET \(target) HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n")
        let text = await connection.read()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        if let body { #expect(text.hasSuffix("\r\n\r\n\(body)"), "\(text)") }
      }
    }

    @Test(arguments: ["", "GET /hello HTTP/1.1\r\nHost: x\r\nX-Slow: ", "POST /hello HTTP/1.1\r\nHost: x\r\n\r\n"])
    func `a connection on which nothing moves is closed`(_ beginning: String) async throws {
      try await HTTPServer.withServer(.init(idleTimeout: .seconds(1)), routes: [Self.hello]) { server in
        let connection = try RawConnection(port: server.port)
        connection.send(beginning)
        let text = await connection.read()
        #expect(!text.contains("200 OK"))
      }
    }

    @Test func `a head that drips in is not waited for longer than its time, an answer is`() async throws {
      let release = Promise<Void>()
      let slow = HTTPRoute(.get, "/slow") { _ in
        await release.value
        return HTTPResponse(status: 200, body: HTTPBody(Array("late\n".utf8)))
      }
      try await HTTPServer.withServer(.init(headTimeout: .milliseconds(300)), routes: [slow]) { server in
        let waiting = try RawConnection(port: server.port)
        waiting.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        while server.requestsUnderWay == 0 { await Task.yield() }
        let dripping = try RawConnection(port: server.port)
        dripping.send("GET /slow HTTP/1.1\r\nX: ")
        let drops = Task {
          while !Task.isCancelled {
            dripping.send("y")
            try await Task.sleep(for: .milliseconds(20))
          }
        }
        #expect(!(await dripping.read()).contains("200 OK"))
        drops.cancel()
        release.keep()
        #expect(await waiting.read().hasSuffix("late\n"))
      }
    }

    @Test func `a handler that takes longer than the idle time still answers`() async throws {
      let release = Promise<Void>()
      let slow = HTTPRoute(.get, "/slow") { _ in
        await release.value
        return HTTPResponse(status: 200, body: HTTPBody(Array("late\n".utf8)))
      }
      try await HTTPServer.withServer(.init(idleTimeout: .seconds(1)), routes: [Self.hello, slow]) { server in
        let idle = try RawConnection(port: server.port)
        let waiting = try RawConnection(port: server.port)
        waiting.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        // When the idle one has been closed, the time has passed for the other as well.
        _ = await idle.read()
        release.keep()
        #expect(await waiting.read().hasSuffix("late\n"))
      }
    }

    @Test func `connections over the limit wait until there is room`() async throws {
      try await HTTPServer.withServer(.init(connectionLimit: 2), routes: [Self.hello]) { server in
        let request = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
        let first = try RawConnection(port: server.port)
        let second = try RawConnection(port: server.port)
        for connection in [first, second] {
          connection.send(request)
          #expect(await connection.read(until: "hi\n").hasSuffix("hi\n"))
        }
        // The kernel takes the third one; its answer comes when one of the others has gone.
        let third = try RawConnection(port: server.port)
        third.send(request)
        first.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(await first.read().hasSuffix("hi\n"))
        #expect(await third.read(until: "hi\n").hasSuffix("hi\n"))
      }
    }

    @Test(arguments: [
      "GARBAGE\r\n\r\n", "GET /hello HTTP/9.9\r\nHost: x\r\n\r\n", "GET /hello HTTP/1.1\r\nHost x\r\n\r\n",
      "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      "POST /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `what is no HTTP gets an error or nothing, and the server lives on`(_ text: String) async throws {
      try await HTTPServer.withServer(.init(idleTimeout: .seconds(1)), routes: [Self.hello]) { server in
        let connection = try RawConnection(port: server.port)
        connection.send(text)
        #expect(!(await connection.read()).contains(" 200 "))
        let other = try RawConnection(port: server.port)
        other.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(await other.read().hasSuffix("hi\n"))
      }
    }
  }
#endif
