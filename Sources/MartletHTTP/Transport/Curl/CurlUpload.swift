#if os(Linux)
  import MartletSync

  /// A request body that comes from a stream: a slot for one chunk between the task that reads the stream and the loop
  /// that sends it.
  final class CurlUpload: Sendable {
    private struct State {
      var chunk: ArraySlice<UInt8> = []
      var isComplete = false
      /// Nothing more will be sent.
      var isClosed = false
      /// The loop found the slot empty and waits.
      var isStarved = false
      var waiter: CheckedContinuation<Void, Never>?

      mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
      }
    }
    private let state = Locked(State())

    /// Puts all of `body` into the slot, chunk by chunk, calling `wake` when the loop waits for one. Returns early when
    /// the transfer ends.
    func pump(_ body: HTTPBody, wake: @Sendable () -> Void) async throws {
      for try await chunk in body {
        guard await put(chunk, wake: wake) else { return }
      }
      if state.withLock({ state in
        state.isComplete = true
        return state.isStarved
      }) {
        wake()
      }
    }

    private func put(_ chunk: [UInt8], wake: @Sendable () -> Void) async -> Bool {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isFree = state.withLock { state in
            if state.chunk.isEmpty || state.isClosed { return true }
            state.waiter = continuation
            return false
          }
          if isFree { continuation.resume() }
        }
      } onCancel: {
        close()
      }
      let (isOpen, isStarved) = state.withLock { state in
        guard !state.isClosed else { return (false, false) }
        state.chunk = chunk[...]
        defer { state.isStarved = false }
        return (true, state.isStarved)
      }
      if isStarved { wake() }
      return isOpen
    }

    /// Ends the upload: the pump stops at its next chunk.
    func close() {
      let waiter = state.withLock { state in
        state.isClosed = true
        return state.takeWaiter()
      }
      waiter?.resume()
    }

    /// Copies what there is into `buffer`. The number of bytes; 0 at the end; `nil` if the loop has to wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      let (count, waiter) = state.withLock { state -> (Int?, CheckedContinuation<Void, Never>?) in
        if state.chunk.isEmpty {
          if state.isComplete { return (0, nil) }
          state.isStarved = true
          return (nil, state.takeWaiter())
        }
        let count = min(buffer.count, state.chunk.count)
        buffer.copyBytes(from: state.chunk.prefix(count))
        state.chunk = state.chunk.dropFirst(count)
        return (count, state.chunk.isEmpty ? state.takeWaiter() : nil)
      }
      waiter?.resume()
      return count
    }
  }
#endif
