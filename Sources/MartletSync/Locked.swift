#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that one thread at a time may touch.
///
/// For small synchronous state; never hold it across an `await`, and never resume a continuation inside `withLock`.
/// A lock of our own over `pthread_mutex_t` / `os_unfair_lock`, because the thread sanitizer does not understand
/// `Synchronization.Mutex` on Linux and would report races that are none.
package final class Locked<Value>: @unchecked Sendable {  // `value` is only reached between lock and unlock
  #if canImport(Darwin)
    private typealias Lock = os_unfair_lock
  #else
    private typealias Lock = pthread_mutex_t
  #endif
  /// Both stand in memory of their own: the lock must not move, and the value needs no check of exclusive access beside it.
  private let lock: UnsafeMutablePointer<Lock>
  private let value: UnsafeMutablePointer<Value>

  package init(_ value: sending Value) {
    let start = Self.valueOffset
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: start + MemoryLayout<Value>.size,
      alignment: max(MemoryLayout<Lock>.alignment, MemoryLayout<Value>.alignment))
    lock = memory.initializeMemory(as: Lock.self, to: Lock())
    self.value = (memory + start).initializeMemory(as: Value.self, to: value)
    #if !canImport(Darwin)
      pthread_mutex_init(lock, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(lock)
    #endif
    value.deinitialize(count: 1)
    lock.deinitialize(count: 1)
    UnsafeMutableRawPointer(lock).deallocate()
  }

  private static var valueOffset: Int {
    let alignment = MemoryLayout<Value>.alignment
    return (MemoryLayout<Lock>.size + alignment - 1) / alignment * alignment
  }

  /// Runs `body` with exclusive access to the value. Do not call it from inside itself: the lock is not recursive.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
    #else
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return try body(&value.pointee)
  }
}
