#if os(Linux) || os(macOS)
  import Dispatch
  import MartletSync

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A client that has started this program, talked to over standard input and output, one message a line.
  ///
  /// While it is open, what the program prints goes to standard error instead, and what it reads is empty: nothing but
  /// messages may pass. Ends when the client closes the input.
  public final class StdioServerTransport: MCPTransport {
    private struct State {
      var input: Int32 = -1
      var output: Int32 = -1
      /// Ends the reading thread.
      var wakeup: Int32 = -1
      var framer: LineFramer
      var chunks: MessageQueue<[UInt8]>?
      var isClosed = false
    }

    private let limit: Int
    private let descriptors: (input: Int32, output: Int32)?
    private let state: Locked<State>
    /// Writes block while the client reads nothing; a queue of its own keeps that from all others, and them in order.
    private let writing = DispatchQueue(label: "martlet.mcp.stdio")

    /// Standard input and output.
    /// - Parameter messageSize: the most bytes of a message, by default 64 MiB; larger ones are refused.
    public convenience init(messageSize: Int = 64 << 20) { self.init(nil, messageSize: messageSize) }

    /// Other descriptors, which it owns from now on.
    package convenience init(input: Int32, output: Int32, messageSize: Int = 64 << 20) {
      self.init((input, output), messageSize: messageSize)
    }

    private init(_ descriptors: (input: Int32, output: Int32)?, messageSize: Int) {
      limit = messageSize
      self.descriptors = descriptors
      state = Locked(State(framer: LineFramer(limit: messageSize)))
    }

    public func open() async throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Self.error("cannot open a pipe") }
      let (input, output): (Int32, Int32)
      if let descriptors {
        (input, output) = descriptors
      } else {
        (input, output) = try Self.takeStandardStreams()
      }
      // A client that is gone is an error of a write, not the end of this program.
      signal(SIGPIPE, SIG_IGN)
      let chunks = MessageQueue<[UInt8]>()
      state.withLock { state in
        state.input = input
        state.output = output
        state.wakeup = ends[1]
        state.chunks = chunks
      }
      let reader = DescriptorReader(input: input, wakeup: ends[0], chunks: chunks)
      reader.start()
    }

    /// Standard input and output under other numbers; in their old places are /dev/null and standard error.
    private static func takeStandardStreams() throws -> (Int32, Int32) {
      let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
      let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
      let nothing = Self.openNothing()
      guard input >= 0, output >= 0, nothing >= 0, dup2(nothing, 0) == 0, dup2(2, 1) == 1 else {
        throw error("standard input and output cannot be used")
      }
      _ = closeDescriptor(nothing)
      return (input, output)
    }

    private static func error(_ what: String) -> MCPError {
      MCPError(.cannotStart, "\(what): \(String(cString: strerror(errno)))")
    }

    public func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
      var bytes = message.bytes
      bytes.append(0x0A)
      let output = state.withLock { $0.isClosed ? -1 : $0.output }
      let line = bytes
      let isWritten = await withCheckedContinuation { continuation in
        writing.async { continuation.resume(returning: Self.write(line, to: output)) }
      }
      guard isWritten else { throw MCPError(.connectionClosed, "the client no longer reads") }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
      guard descriptor >= 0 else { return false }
      return bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
          if count < 0 {
            if errno == EINTR { continue }
            return false
          }
          rest = rest.dropFirst(count)
        }
        return true
      }
    }

    public func receive() async throws -> MCPIncoming {
      while true {
        if let incoming = state.withLock({ $0.framer.next() }) { return incoming }
        guard let chunks = state.withLock({ $0.chunks }) else {
          throw MCPError(.connectionClosed, "the transport is not open")
        }
        do {
          let chunk = try await chunks.take()
          state.withLock { $0.framer.append(chunk) }
        } catch let error as MCPError {
          if let rest = state.withLock({ $0.framer.finish() }) { return rest }
          throw error
        }
      }
    }

    public func close() async {
      let (wakeup, output, chunks) = state.withLock { state in
        defer {
          state.isClosed = true
          state.wakeup = -1
          state.output = -1
        }
        return (state.wakeup, state.output, state.chunks)
      }
      chunks?.end(MCPError(.connectionClosed, "the transport was closed"))
      if wakeup >= 0 { _ = closeDescriptor(wakeup) }
      // After all that was to be written before.
      await withCheckedContinuation { continuation in
        writing.async {
          if output >= 0 { _ = closeDescriptor(output) }
          continuation.resume()
        }
      }
    }

    private static func openNothing() -> Int32 { openFile("/dev/null", O_RDWR | O_CLOEXEC) }
  }

  /// Reads a descriptor on a thread of its own: there is no other way that works for pipes, files and terminals alike.
  private final class DescriptorReader: Sendable {
    private let input: Int32
    private let wakeup: Int32
    private let chunks: MessageQueue<[UInt8]>

    init(input: Int32, wakeup: Int32, chunks: MessageQueue<[UInt8]>) {
      self.input = input
      self.wakeup = wakeup
      self.chunks = chunks
    }

    func start() {
      DispatchQueue(label: "martlet.mcp.stdin").async { [self] in
        run()
        _ = closeDescriptor(input)
        _ = closeDescriptor(wakeup)
      }
    }

    private func run() {
      while true {
        var waited = [
          pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&waited, 2, -1) < 0 {
          if errno == EINTR { continue }
          break
        }
        if waited[1].revents != 0 { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { systemRead(input, $0) }
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { break }
        chunk.removeLast(chunk.count - count)
        // Bounded: more is read when this has been taken.
        if !chunks.putBlocking(chunk) { return }
      }
      chunks.end(MCPError(.connectionClosed, "the client has closed its end"))
    }
  }

  // The names of these system calls are also names of methods here.
  private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
  private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
  }
  private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
  }
  private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
#endif
