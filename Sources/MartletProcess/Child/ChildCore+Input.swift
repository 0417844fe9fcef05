import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ChildCore {
  static let inputClosed = ProcessError(.inputClosed, "the process no longer reads its input")

  func pumpInput(_ loop: ReactorLoop) {
    while true {
      let (descriptor, next, isClosed) = state.withLock { state in
        (state.inputDescriptor, state.input.next, state.input.isClosed)
      }
      guard let descriptor else { return }
      guard let next else {
        if isClosed { dropInput(loop) } else { loop.unwatch(descriptor) }
        return
      }
      let written = next.bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[next.offset...])
        return write(descriptor, rest.baseAddress, rest.count)
      }
      if written >= 0 {
        state.withLock { $0.input.advance(by: written) }?.settle()
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        return loop.watch(descriptor, .writable) { loop in self.pumpInput(loop) }
      } else if errno != EINTR {
        return dropInput(loop)
      }
    }
  }

  /// Closes the input and tells those whose writes are lost.
  func dropInput(_ loop: ReactorLoop) {
    let (descriptor, waiters) = state.withLock { state in
      defer { state.inputDescriptor = nil }
      return (state.inputDescriptor, state.input.fail())
    }
    if let descriptor { loop.close(descriptor) }
    for waiter in waiters { waiter.settle(.failure(Self.inputClosed)) }
  }
}
