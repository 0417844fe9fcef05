#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes to a file descriptor at once, without a buffer. SIGPIPE must be ignored.
struct FileDescriptorSink: OutputSink {
  let descriptor: Int32

  func write(_ text: String) throws(OutputFailure) {
    var text = text
    let failure = text.withUTF8 { bytes -> Int32? in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        #if canImport(Darwin)
          let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
        #elseif canImport(Glibc)
          let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        #else
          let count = Musl.write(descriptor, rest.baseAddress, rest.count)
        #endif
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN || errno == EWOULDBLOCK {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
    guard let failure else { return }
    throw OutputFailure(isClosed: failure == EPIPE, reason: String(cString: strerror(failure)))
  }
}
