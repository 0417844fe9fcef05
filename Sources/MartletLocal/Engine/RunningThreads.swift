#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How busy the machine is just now.
enum RunningThreads {
  /// Threads of the whole machine that run or could run, this one among them; nil where the system does not tell (the
  /// fourth number of Linux's `/proc/loadavg`, proc(5)).
  static var count: Int? {
    #if os(Linux)
      let file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 128)
      let length = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      return length > 0 ? count(in: String(decoding: bytes[..<length], as: UTF8.self)) : nil
    #else
      return nil
    #endif
  }

  /// Reads "0.97 3.84 3.50 2/84 21999": two of 84 threads.
  static func count(in text: String) -> Int? {
    let fields = text.split(separator: " ")
    guard fields.count >= 4, let running = fields[3].split(separator: "/").first else { return nil }
    return Int(running)
  }
}
