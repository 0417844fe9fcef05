#if os(Linux)
  import MartletSync

  /// One request under way: what the loop's thread and the one task that reads it share.
  final class CurlTransfer: Sendable {
    /// A transfer with everything the loop needs to start it.
    let request: HTTPRequest
    /// When ``HTTPRequest/Timeouts/total`` passes.
    let deadline: ContinuousClock.Instant?
    let upload: CurlUpload?

    private let loop: CurlLoop
    private let bufferLimit: Int
    private let state = Locked(State())

    private struct State {
      var head: (status: Int, headers: HTTPHeaders)?
      var buffer: [UInt8] = []
      /// The loop waits for the buffer to be taken.
      var isPaused = false
      var end: End?
      /// The reader has all it wants; what still comes is thrown away.
      var isLetGo = false
      var waiter: CheckedContinuation<Void, Never>?

      mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
      }
    }

    init(_ request: HTTPRequest, deadline: ContinuousClock.Instant?, loop: CurlLoop, bufferLimit: Int) {
      self.request = request
      self.deadline = deadline
      self.loop = loop
      self.bufferLimit = bufferLimit
      if case .stream = request.body { upload = CurlUpload() } else { upload = nil }
    }

    // MARK: The reader's side

    func head() async throws -> (status: Int, headers: HTTPHeaders) {
      while true {
        try checkCancellation()
        let (head, end) = state.withLock { ($0.head, $0.end) }
        if let head { return head }
        switch end {
        case .failed(let error): throw error
        case .complete: throw HTTPError(.connectionLost, "The server closed the connection without a response.")
        case nil: await wait { $0.head != nil }
        }
      }
    }

    func nextChunk() async throws -> [UInt8]? {
      while true {
        try checkCancellation()
        let (chunk, resumes, end) = try state.withLock { state throws -> ([UInt8], Bool, End?) in
          guard state.waiter == nil else {
            throw HTTPError(.invalidRequest, "A response body can be read by one task at a time only.")
          }
          guard !state.buffer.isEmpty else { return ([], false, state.end) }
          var chunk: [UInt8] = []
          swap(&chunk, &state.buffer)
          let resumes = state.isPaused
          state.isPaused = false
          return (chunk, resumes, nil)
        }
        if resumes { loop.post(.resume(self)) }
        if !chunk.isEmpty { return chunk }
        switch end {
        case .failed(let error): throw error
        case .complete: return nil
        case nil: await wait { !$0.buffer.isEmpty }
        }
      }
    }

    /// Throws away what is left, for a moment, so that the connection can be used again.
    func letGo() {
      let isOpen = state.withLock { state in
        guard state.end == nil else { return false }
        state.isLetGo = true
        state.isPaused = false
        state.buffer = []
        return true
      }
      if isOpen { loop.post(.letGo(self)) }
    }

    /// The body is read no more: ends the transfer, unless it was let go.
    func drop() { if !state.withLock({ $0.isLetGo }) { cancel() } }

    /// Ends the transfer and closes its connection, unless it is complete.
    func cancel() { cancel(CancellationError()) }

    /// Ends the transfer for a reason on this side.
    func cancel(_ reason: any Error) {
      let (waiter, wasRunning) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
        guard state.end == nil else { return (nil, false) }
        state.end = .failed(reason)
        state.buffer = []
        return (state.takeWaiter(), true)
      }
      waiter?.resume()
      upload?.close()
      if wasRunning { loop.post(.cancel(self)) }
    }

    private func checkCancellation() throws {
      guard Task.isCancelled else { return }
      cancel()
      throw CancellationError()
    }

    private func wait(until condition: @Sendable (borrowing State) -> Bool) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = state.withLock { state in
            if condition(state) || state.end != nil { return true }
            state.waiter = continuation
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        cancel()
      }
    }

    // MARK: The loop's side

    enum End {
      case complete
      case failed(any Error)
    }

    /// Hands over what has arrived, and leaves `bytes` empty. With `pausing`, a `.resume` command follows when the reader
    /// takes what lies there, if that is the buffer's limit or more. The number of bytes that lie there.
    func publish(
      _ bytes: inout [UInt8], head: (status: Int, headers: HTTPHeaders)?, end: sending End? = nil, pausing: Bool = false
    ) -> Int {
      let (waiter, count) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Int) in
        guard state.end == nil else { return (nil, 0) }
        if let head { state.head = head }
        if state.isLetGo {
          // Nobody reads it.
        } else if state.buffer.isEmpty {
          swap(&state.buffer, &bytes)
        } else {
          state.buffer += bytes
        }
        state.end = end
        if pausing { state.isPaused = state.buffer.count >= bufferLimit }
        return (state.takeWaiter(), state.buffer.count)
      }
      bytes.removeAll(keepingCapacity: true)
      waiter?.resume()
      if end != nil { upload?.close() }
      return count
    }

    /// Tells the loop that the stream to upload has more.
    func resumeUpload() { loop.post(.resume(self)) }

    /// Ends a transfer that nothing arrived for.
    func fail(_ error: HTTPError) {
      var nothing: [UInt8] = []
      _ = publish(&nothing, head: nil, end: .failed(error))
    }
  }

  /// The body of a transfer; the last reference that goes ends the transfer.
  final class CurlBodySource: HTTPBodySource {
    private let transfer: CurlTransfer

    init(_ transfer: CurlTransfer) { self.transfer = transfer }
    deinit { transfer.drop() }

    func next() async throws -> [UInt8]? { try await transfer.nextChunk() }
    func finish() { transfer.letGo() }
  }
#endif
