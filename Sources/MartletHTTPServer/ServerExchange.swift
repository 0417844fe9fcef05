#if os(Linux)
  import CMicroHTTPD
  import Glibc
  import MartletHTTP
  import MartletSync

  /// One request and its answer: what libmicrohttpd's thread and the handler's task share.
  ///
  /// libmicrohttpd calls when it has bytes or wants some; where the task is not as far, the connection is suspended, and
  /// woken when it is.
  final class ServerExchange: Sendable {
    /// A body is taken ahead of its reader, or made ahead of its client, up to so many bytes.
    private static let bufferLimit = 256 << 10

    /// libmicrohttpd's connection. Waking one is allowed from any thread; everything else happens on the daemon's.
    private struct Handle: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    private struct State {
      /// `nil` when libmicrohttpd is done with the exchange.
      var connection: Handle?
      var hasBegun = false
      var isSuspended = false

      var upload: [UInt8] = []
      var uploadCount = 0
      var isUploadRead = true
      var uploadEnd: Result<Void, any Error>?
      var uploadWaiter: CheckedContinuation<Void, Never>?

      var response: HTTPResponse?
      var output: ArraySlice<UInt8> = []
      var outputEnd: Result<Void, any Error>?
      var outputWaiter: CheckedContinuation<Void, Never>?

      var task: Task<Void, Never>?
      var hasTaskEnded = true
    }

    let target: String
    let connection: ServerConnection?
    private let bodyLimit: Int
    private let state: Locked<State>

    init(_ handle: OpaquePointer, target: String, connection: ServerConnection?, bodyLimit: Int) {
      self.target = target
      self.connection = connection
      self.bodyLimit = bodyLimit
      state = Locked(State(connection: Handle(pointer: handle)))
    }

    // MARK: The daemon's side

    /// Whether this is the first call.
    func begin() -> Bool {
      state.withLock { state in
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
    }

    /// Starts the task that answers.
    func run(_ operation: @escaping @Sendable (ServerExchange) async -> Void, whenDone: @escaping @Sendable () -> Void)
    {
      state.withLock { state in
        state.hasTaskEnded = false
        state.isUploadRead = true
        state.task = Task {
          await operation(self)
          self.state.withLock { $0.hasTaskEnded = true }
          whenDone()
        }
      }
    }

    /// Takes bytes of the body. What to do with the connection.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
      let (reception, waiter) = state.withLock { state -> (Reception, CheckedContinuation<Void, Never>?) in
        if state.isUploadRead, !state.upload.isEmpty, state.upload.count + bytes.count > Self.bufferLimit {
          suspend(&state)
          return (.later, nil)
        }
        state.uploadCount += bytes.count
        if state.uploadCount > bodyLimit {
          if state.uploadEnd == nil {
            state.uploadEnd = .failure(HTTPError(.tooLarge, "The body is larger than \(bodyLimit) bytes."))
          }
          state.isUploadRead = false
          state.upload = []
          // What little is left is awaited, so that the client reads the answer; a flood is cut off.
          return (state.uploadCount > bodyLimit + 1 << 20 ? .close : .taken, take(&state.uploadWaiter))
        }
        if state.isUploadRead { state.upload.append(contentsOf: bytes) }
        return (.taken, take(&state.uploadWaiter))
      }
      waiter?.resume()
      return reception
    }

    enum Reception { case taken, later, close }

    /// The request is complete. The response, if it is there; else the connection is suspended until it is.
    func response() -> HTTPResponse? {
      let (response, waiter) = state.withLock { state -> (HTTPResponse?, CheckedContinuation<Void, Never>?) in
        if state.uploadEnd == nil { state.uploadEnd = .success(()) }
        if state.response == nil { suspend(&state) }
        return (state.response, take(&state.uploadWaiter))
      }
      waiter?.resume()
      return response
    }

    /// Fills `buffer` with bytes of the response. How many, or libmicrohttpd's marks for the end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      let (count, waiter) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
        if !state.output.isEmpty {
          let count = min(buffer.count, state.output.count)
          buffer.copyBytes(from: state.output.prefix(count))
          state.output = state.output.dropFirst(count)
          return (count, state.output.isEmpty ? take(&state.outputWaiter) : nil)
        }
        switch state.outputEnd {
        case .success: return (-1, nil)
        case .failure: return (-2, nil)
        case nil:
          suspend(&state)
          return (0, nil)
        }
      }
      waiter?.resume()
      return count
    }

    /// libmicrohttpd is done: answered completely, or the connection is gone.
    func end() {
      let (task, waiters) = state.withLock { state in
        state.connection = nil
        state.isSuspended = false
        if state.uploadEnd == nil {
          state.uploadEnd = .failure(HTTPError(.connectionLost, "The client went away before it had sent everything."))
        }
        if state.outputEnd == nil { state.outputEnd = .failure(CancellationError()) }
        return (state.hasTaskEnded ? nil : state.task, [take(&state.uploadWaiter), take(&state.outputWaiter)])
      }
      for waiter in waiters { waiter?.resume() }
      task?.cancel()
    }

    /// Asks the handler to stop: the client went away, or the server stops.
    func cancel() { state.withLock { $0.hasTaskEnded ? nil : $0.task }?.cancel() }

    var isOver: Bool { state.withLock { $0.connection == nil && $0.hasTaskEnded } }

    // MARK: The task's side

    func nextUploadChunk() async throws -> [UInt8]? {
      while true {
        try Task.checkCancellation()
        let (chunk, end) = state.withLock { state -> ([UInt8], Result<Void, any Error>?) in
          var chunk: [UInt8] = []
          swap(&chunk, &state.upload)
          if !chunk.isEmpty { wake(&state) }
          return (chunk, state.uploadEnd)
        }
        if !chunk.isEmpty { return chunk }
        if let end {
          try end.get()
          return nil
        }
        await wait(\.uploadWaiter) { !$0.upload.isEmpty || $0.uploadEnd != nil }
      }
    }

    /// Nobody will read (on): what still comes is thrown away.
    func dropUpload() {
      state.withLock { state in
        state.isUploadRead = false
        state.upload = []
        wake(&state)
      }
    }

    /// Gives the head of the answer, and the body if it is here already.
    func respond(_ response: HTTPResponse) {
      state.withLock { state in
        state.response = response
        // An answer ends the interest in the rest of the request, or both sides might wait for each other.
        state.isUploadRead = false
        state.upload = []
        wake(&state)
      }
    }

    /// Sends bytes of the body; returns when there is room for more.
    func write(_ bytes: [UInt8]) async throws {
      try Task.checkCancellation()
      let isOpen = state.withLock { state in
        guard state.outputEnd == nil else { return false }
        if state.output.isEmpty { state.output = bytes[...] } else { state.output += bytes }
        wake(&state)
        return true
      }
      guard isOpen else { throw CancellationError() }
      await wait(\.outputWaiter) { $0.output.count < Self.bufferLimit || $0.outputEnd != nil }
      try Task.checkCancellation()
    }

    /// Ends the body; with an error the connection is cut, so that the client cannot take it for whole.
    func endBody(_ error: (any Error)?) {
      state.withLock { state in
        if state.outputEnd == nil { state.outputEnd = error.map { .failure($0) } ?? .success(()) }
        wake(&state)
      }
    }

    private func wait(
      _ slot: any WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable,
      until condition: @Sendable (borrowing State) -> Bool
    ) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = state.withLock { state in
            if Task.isCancelled || condition(state) { return true }
            state[keyPath: slot] = continuation
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        state.withLock { take(&$0[keyPath: slot]) }?.resume()
      }
    }

    // MARK: With the lock held

    /// libmicrohttpd allows it in its callbacks only, that is where this is called.
    private func suspend(_ state: inout State) {
      guard let connection = state.connection else { return }
      state.isSuspended = true
      cmhd_suspend(connection.pointer)
    }

    private func wake(_ state: inout State) {
      guard state.isSuspended, let connection = state.connection else { return }
      state.isSuspended = false
      cmhd_resume(connection.pointer)
    }
  }

  /// Takes a continuation out of its slot.
  private func take(_ slot: inout CheckedContinuation<Void, Never>?) -> CheckedContinuation<Void, Never>? {
    defer { slot = nil }
    return slot
  }

  /// The body of a request.
  final class UploadSource: HTTPBodySource {
    private let exchange: ServerExchange

    init(_ exchange: ServerExchange) { self.exchange = exchange }
    deinit { exchange.dropUpload() }

    func next() async throws -> [UInt8]? { try await exchange.nextUploadChunk() }
  }

  /// One connection of a client, over which exchanges follow each other.
  final class ServerConnection: Sendable {
    let token: UInt64
    let descriptor: Int32
    private let current = Locked<ServerExchange?>(nil)
    /// Since when it waits for the head of a request; nil while one is answered.
    private let waitingSince = Locked<ContinuousClock.Instant?>(.now)

    init(token: UInt64, descriptor: Int32) {
      self.token = token
      self.descriptor = descriptor
    }

    func begin(_ exchange: ServerExchange) { current.withLock { $0 = exchange } }

    func end(_ exchange: ServerExchange) {
      current.withLock { current in
        if current === exchange { current = nil }
      }
      waitingSince.withLock { $0 = .now }
    }

    func headIsComplete() { waitingSince.withLock { $0 = nil } }

    /// Whether it has waited for a head since then, or longer.
    func isWaiting(since time: ContinuousClock.Instant) -> Bool {
      waitingSince.withLock { since in since.map { $0 <= time } ?? false }
    }

    /// The client has closed its side: nobody waits for the answer any more.
    func hangUp() { current.withLock { $0 }?.cancel() }
  }
#endif
