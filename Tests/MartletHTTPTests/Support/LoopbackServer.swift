import Foundation
import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on a free port of 127.0.0.1 that does, connection by connection, just what a script says, right or wrong.
/// Each script runs on a thread of its own and may block.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let script: @Sendable (LoopbackConnection) -> Void
  private let connectionCount = Locked(0)

  var url: String { "http://127.0.0.1:\(port)" }
  /// How many connections came in.
  var connections: Int { connectionCount.withLock { $0 } }

  init(_ script: @escaping @Sendable (LoopbackConnection) -> Void) throws {
    (listener, port) = try Self.listen()
    self.script = script
    // Reads `self` weakly: the server ends with its last owner.
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0, let self else {
          if descriptor >= 0 { close(descriptor) }
          close(listener)
          return
        }
        let number = self.connectionCount.withLock { count in
          count += 1
          return count
        }
        Thread.detachNewThread { [script = self.script] in
          let connection = LoopbackConnection(descriptor, number: number)
          script(connection)
          connection.close()
        }
      }
    }
  }

  /// Answers every request of every connection alike.
  convenience init(answering answer: @escaping @Sendable (LoopbackConnection.Request) -> [UInt8]) throws {
    try self.init { connection in
      while let request = connection.readRequest() { connection.write(answer(request)) }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// A port that nothing listens on: none that the system gives to a program that asks for any.
  static let closedPort: UInt16 = 1

  static func makeSocket() throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }

  static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  static func listen(backlog: Int32 = 128) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try makeSocket()
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Foundation.listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard result else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

/// One connection to a ``LoopbackServer``; used on its script's thread.
final class LoopbackConnection {
  struct Request: Sendable {
    var method: String
    var target: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
  }

  /// 1 for the first connection of the server.
  let number: Int
  private let descriptor: Int32
  private var unread: [UInt8] = []
  private var isOpen = true

  init(_ descriptor: Int32, number: Int) {
    self.descriptor = descriptor
    self.number = number
  }

  /// The next request with its body, or `nil` when the client closes.
  func readRequest() -> Request? {
    guard let head = readHead() else { return nil }
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
    let first = lines.removeFirst().split(separator: " ")
    let headers = lines.map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
    var request = Request(method: String(first[0]), target: String(first[1]), headers: headers, body: [])
    if request["transfer-encoding"] == "chunked" {
      while let size = readLine().flatMap({ Int($0, radix: 16) }) {
        guard let chunk = read(size), readLine() != nil else { return nil }
        if size == 0 { break }
        request.body += chunk
      }
    } else if let length = request["content-length"].flatMap({ Int($0) }) {
      guard let body = read(length) else { return nil }
      request.body = body
    }
    return request
  }

  /// The head of the next request only.
  func readHead() -> String? {
    var head = ""
    while let line = readLine() {
      if line.isEmpty { return head }
      head += line + "\r\n"
    }
    return nil
  }

  /// As many bytes, or `nil` when the client closes before.
  func read(_ count: Int) -> [UInt8]? {
    while unread.count < count { guard fill() else { return nil } }
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }

  /// Blocks until the client closes or resets the connection.
  func waitUntilClosed() {
    while fill() { unread = [] }
  }

  /// Whether everything went out.
  @discardableResult func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes until the client takes nothing for `patience` (milliseconds): the number of bytes it took. `nil` if it took
  /// everything.
  func writeUntilStalled(_ bytes: [UInt8], repeating: Int, patience: Int32) -> Int? {
    var written = 0
    for _ in 0..<repeating {
      var rest = bytes[...]
      while !rest.isEmpty {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&event, 1, patience) == 0 { return written }
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        if count < 0, errno == EAGAIN { continue }
        guard count > 0 else { return nil }
        rest = rest.dropFirst(count)
        written += count
      }
    }
    return nil
  }

  /// Closes with a reset instead of an orderly end.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    Foundation.close(descriptor)
  }

  private func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self).trimmingCharacters(in: .newlines)
      }
      guard fill() else { return nil }
    }
  }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    unread += buffer.prefix(count)
    return true
  }
}

/// A whole response with its length.
func answer(_ status: Int = 200, headers: [(String, String)] = [], body: String = "") -> [UInt8] {
  answer(status, headers: headers, bytes: Array(body.utf8))
}

func answer(_ status: Int = 200, headers: [(String, String)] = [], bytes: [UInt8]) -> [UInt8] {
  let lines = (headers + [("Content-Length", "\(bytes.count)")]).map { "\($0.0): \($0.1)\r\n" }.joined()
  return Array("HTTP/1.1 \(status) Reason\r\n\(lines)\r\n".utf8) + bytes
}

/// A listener that accepts nothing and whose queue is full, so that further connections wait.
final class FullListener {
  let port: UInt16
  private let listener: Int32
  private var clients: [Int32] = []

  init() throws {
    (listener, port) = try LoopbackServer.listen(backlog: 0)
    for _ in 0..<4 {
      let client = try LoopbackServer.makeSocket()
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      clients.append(client)
      var address = LoopbackServer.address(port: port)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          _ = connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }

  deinit { for descriptor in clients + [listener] { close(descriptor) } }
}
