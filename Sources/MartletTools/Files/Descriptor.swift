#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file or directory, closed when nobody holds it any more.
final class Descriptor: Sendable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  var status: stat? {
    var status = stat()
    return fstat(raw, &status) == 0 ? status : nil
  }

  /// Bytes in the file; 0 when that cannot be told.
  var size: Int { status.map { Int($0.st_size) } ?? 0 }

  /// The next bytes, at most `count`; empty at the end, nil when reading fails.
  func read(_ count: Int) -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      while true {
        #if canImport(Darwin)
          let got = Darwin.read(raw, buffer.baseAddress, count)
        #elseif canImport(Glibc)
          let got = Glibc.read(raw, buffer.baseAddress, count)
        #else
          let got = Musl.read(raw, buffer.baseAddress, count)
        #endif
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        size = max(0, got)
        return
      }
    }
    return failed ? nil : bytes
  }
}
