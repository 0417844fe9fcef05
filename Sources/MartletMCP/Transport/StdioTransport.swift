#if os(Linux) || os(macOS)
  public import MartletProcess
  import MartletSync

  /// A server that is a program: started here, talked to over its standard streams, one message a line.
  ///
  /// The program leads a process group of its own, which is ended as a whole: its input is closed, then SIGTERM, then
  /// SIGKILL. Reading goes on while a message is written, so full pipes stop neither side. Of its standard error the last
  /// lines are kept and found in ``MCPError/serverOutput`` and ``errorLines``.
  public final class StdioTransport: MCPTransport {
    /// How a server is talked to and ended.
    public struct Limits: Sendable, Hashable {
      /// The most bytes of a message of the server, by default 64 MiB. A larger one is passed over, and the request that
      /// it answers fails.
      public var messageSize: Int
      /// Lines of standard error that are kept, by default 200.
      public var errorLines: Int
      /// How long the server may take to end after its input was closed, by default 2 s.
      public var inputGrace: Duration
      /// How long it may take to end after SIGTERM, by default 2 s.
      public var terminateGrace: Duration

      /// Limits; every argument has a default.
      public init(
        messageSize: Int = 64 << 20, errorLines: Int = 200, inputGrace: Duration = .seconds(2),
        terminateGrace: Duration = .seconds(2)
      ) {
        self.messageSize = messageSize
        self.errorLines = errorLines
        self.inputGrace = inputGrace
        self.terminateGrace = terminateGrace
      }
    }

    private struct State {
      var child: ChildProcess?
      var framer: LineFramer
    }

    /// What is started.
    public let command: ProcessCommand
    private let limits: Limits
    private let state: Locked<State>

    /// A server by its command. Nothing is started yet.
    public init(_ command: ProcessCommand, limits: Limits = Limits()) {
      self.command = command
      self.limits = limits
      state = Locked(State(framer: LineFramer(limit: limits.messageSize)))
    }

    /// A server by program and arguments. It does not see the whole environment of this process, which may hold keys, but
    /// ``plainEnvironment`` and what is given here.
    public convenience init(
      _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
      workingDirectory: String? = nil, limits: Limits = Limits()
    ) {
      self.init(
        ProcessCommand(
          executable, arguments, environment: Self.plainEnvironment.merging(environment) { $1 },
          workingDirectory: workingDirectory),
        limits: limits)
    }

    /// Of this process's environment what programs need and what is no secret: paths, user, language, time zone.
    public static var plainEnvironment: [String: String] {
      let names: Set = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
      ]
      return ProcessCommand.currentEnvironment.filter { names.contains($0.key) }
    }

    /// The last lines that the server wrote to its standard error.
    public var errorLines: [String] { state.withLock { $0.child }?.errorLines ?? [] }

    /// The process; nil while there is none.
    public var processID: Int32? { state.withLock { $0.child }?.id }

    public func open() async throws {
      let child: ChildProcess
      do {
        child = try await ChildProcess.start(command, errorHandling: .lastLines(limits.errorLines), buffer: 1 << 20)
      } catch let error as ProcessError {
        throw MCPError(.cannotStart, "the server cannot be started: \(error.message)", underlying: error)
      }
      let old = state.withLock { state in
        defer {
          state.child = child
          state.framer = LineFramer(limit: limits.messageSize)
        }
        return state.child
      }
      await old?.shutDown(inputGrace: .zero, terminateGrace: .zero)
    }

    public func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
      let child = try current()
      var bytes = message.bytes
      bytes.append(0x0A)
      do {
        try await child.write(bytes)
      } catch is ProcessError {
        throw await end(of: child)
      }
    }

    public func receive() async throws -> MCPIncoming {
      let child = try current()
      var chunks = child.output.makeAsyncIterator()
      while true {
        if let incoming = state.withLock({ $0.framer.next() }) { return incoming }
        guard let chunk = try await chunks.next() else {
          if let rest = state.withLock({ $0.framer.finish() }) { return rest }
          throw await end(of: child)
        }
        state.withLock { $0.framer.append(chunk) }
      }
    }

    public func close() async {
      let child = state.withLock { state in
        defer { state.child = nil }
        return state.child
      }
      await child?.shutDown(inputGrace: limits.inputGrace, terminateGrace: limits.terminateGrace)
    }

    private func current() throws(MCPError) -> ChildProcess {
      guard let child = state.withLock({ $0.child }) else {
        throw MCPError(.connectionClosed, "the server is not running")
      }
      return child
    }

    /// A server that closes one of its streams is of no more use: it is ended, if it has not ended by itself.
    private func end(of child: ChildProcess) async -> MCPError {
      let status = await child.shutDown(inputGrace: .milliseconds(500), terminateGrace: limits.terminateGrace)
      return MCPError(
        .connectionClosed, "the server has ended (\(status))", serverOutput: child.errorLines)
    }
  }
#endif
