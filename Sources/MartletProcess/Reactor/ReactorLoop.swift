#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the reactor's thread waits for. Lives on that thread alone.
final class ReactorLoop {
  enum Interest {
    case readable, writable
  }

  typealias Handler = (ReactorLoop) -> Void

  struct TimerID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Timer {
    let id: TimerID
    let deadline: ContinuousClock.Instant
    let handler: Handler
  }

  /// Where reads land before they are copied to whom they belong: one buffer for all, as one thread reads.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)

  private var polled: [pollfd]
  private var handlers: [Handler?] = [nil]
  private var slots: [Int32: Int] = [:]
  private var timers: [Timer] = []
  private var lastTimer: UInt64 = 0

  init(wakeDescriptor: Int32) {
    polled = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
  }

  deinit { scratch.deallocate() }

  /// Calls `handler` whenever the descriptor is ready (or broken), until `unwatch`. One watch a descriptor: a second
  /// replaces the first.
  func watch(_ descriptor: Int32, _ interest: Interest, handler: @escaping Handler) {
    let entry = pollfd(fd: descriptor, events: Int16(interest == .readable ? POLLIN : POLLOUT), revents: 0)
    if let slot = slots[descriptor] {
      polled[slot] = entry
      handlers[slot] = handler
    } else {
      slots[descriptor] = polled.count
      polled.append(entry)
      handlers.append(handler)
    }
  }

  func unwatch(_ descriptor: Int32) {
    guard let slot = slots.removeValue(forKey: descriptor) else { return }
    let last = polled.count - 1
    if slot != last {
      polled[slot] = polled[last]
      handlers[slot] = handlers[last]
      slots[polled[slot].fd] = slot
    }
    polled.removeLast()
    handlers.removeLast()
  }

  /// Closes a descriptor, and forgets its watch first: the number may be in use again at once.
  func close(_ descriptor: Int32) {
    unwatch(descriptor)
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #endif
  }

  @discardableResult
  func schedule(after delay: Duration, handler: @escaping Handler) -> TimerID {
    lastTimer += 1
    let timer = Timer(id: TimerID(number: lastTimer), deadline: .now + delay, handler: handler)
    let index = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.endIndex
    timers.insert(timer, at: index)
    return timer.id
  }

  func cancel(_ timer: TimerID) {
    timers.removeAll { $0.id == timer }
  }

  /// Waits for the next thing that happens and handles it.
  func turn() {
    let ready = poll(&polled, nfds_t(polled.count), timeUntilNextTimer())
    if ready > 0 {
      if polled[0].revents != 0 { drainWakePipe() }
      // Handlers watch and unwatch, which moves entries: go by descriptor, and only if it is still watched. A number
      // that was closed and reused meanwhile gets a needless call at worst, which its non-blocking handler bears.
      let descriptors = polled.dropFirst().compactMap { $0.revents != 0 ? $0.fd : nil }
      for descriptor in descriptors {
        if let slot = slots[descriptor], let handler = handlers[slot] { handler(self) }
      }
    }
    while let timer = timers.first, timer.deadline <= .now {
      timers.removeFirst()
      timer.handler(self)
    }
  }

  private func timeUntilNextTimer() -> Int32 {
    guard let next = timers.first?.deadline else { return -1 }
    let (seconds, attoseconds) = (next - .now).components
    guard seconds >= 0 else { return 0 }
    guard seconds < 3_600 else { return 3_600_000 }
    // Rounded up: a turn that comes a little early would spin.
    return Int32(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  private func drainWakePipe() {
    while read(polled[0].fd, scratch.baseAddress, scratch.count) > 0 {}
  }
}
