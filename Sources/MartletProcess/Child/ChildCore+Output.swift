import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ChildCore {
  private func descriptor(of port: Port) -> Int32? {
    state.withLock { port == .output ? $0.outputDescriptor : $0.errorDescriptor }
  }

  func watchOutput(_ port: Port, _ loop: ReactorLoop) {
    guard let descriptor = descriptor(of: port) else { return }
    loop.watch(descriptor, .readable) { loop in self.readOutput(port, loop) }
  }

  private func readOutput(_ port: Port, _ loop: ReactorLoop) {
    // Bounded, so that one that never stops writing does not keep the reactor from the others.
    for _ in 0..<8 {
      guard let descriptor = descriptor(of: port) else { return }
      switch readChunk(port, descriptor, loop) {
      case .more: continue
      case .full: return loop.unwatch(descriptor)
      case .empty: return
      case .ended:
        endOutput(port, loop)
        return clearIfDrained(loop)
      }
    }
  }

  private enum ReadOutcome {
    case more, full, empty, ended
  }

  private func readChunk(_ port: Port, _ descriptor: Int32, _ loop: ReactorLoop) -> ReadOutcome {
    let count = read(descriptor, loop.scratch.baseAddress, loop.scratch.count)
    guard count > 0 else {
      if count < 0 && errno == EINTR { return .more }
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .empty : .ended
    }
    let bytes = UnsafeRawBufferPointer(rebasing: loop.scratch[..<count])
    let (reader, isFull, produced) = state.withLock { state in
      state.produced += count
      if port == .output {
        return (state.output.receive(bytes), state.output.isFull, state.produced)
      } else {
        return (state.error.receive(bytes), state.error.isFull, state.produced)
      }
    }
    reader?.settle()
    if let maximum = limits.maximumOutput, produced > maximum, state.withLock({ $0.stopReason == nil }) {
      stop(.tooMuchOutput, grace: limits.grace, loop)
    }
    return isFull ? .full : .more
  }

  /// The leader has ended and its output should have: takes what is there (a pipe's worth, even when nobody has room
  /// for it) and waits for no more.
  func finishReading(_ loop: ReactorLoop) {
    for port in [Port.output, .error] {
      // A process left behind may write faster than we read; one pipe's capacity is all that can be the leader's.
      var rounds = 0
      while let descriptor = descriptor(of: port), rounds < 16 {
        let outcome = readChunk(port, descriptor, loop)
        if outcome == .empty || outcome == .ended { break }
        rounds += 1
      }
      endOutput(port, loop)
    }
    clearIfDrained(loop)
  }

  func endOutput(_ port: Port, _ loop: ReactorLoop) {
    let (descriptor, reader) = state.withLock { state in
      if port == .output {
        defer { state.outputDescriptor = nil }
        return (state.outputDescriptor, state.output.end())
      } else {
        defer { state.errorDescriptor = nil }
        return (state.errorDescriptor, state.error.end())
      }
    }
    if let descriptor { loop.close(descriptor) }
    reader?.settle()
  }
}
