import MartletProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What tests ask about processes and descriptors.
enum ProcessProbe {
  static func shell(_ script: String, merged: Bool = false) -> ProcessCommand {
    ProcessCommand("/bin/sh", ["-c", script], standardError: merged ? .merged : .separate)
  }

  /// Whether a process runs; one that only waits to be reaped does not.
  static func isAlive(_ id: Int32) -> Bool {
    #if os(Linux)
      state(id).map { $0 != "Z" && $0 != "X" } ?? false
    #else
      kill(id, 0) == 0
    #endif
  }

  #if os(Linux)
    static func isStopped(_ id: Int32) -> Bool { state(id) == "T" }

    /// The letter that `/proc` gives for what a process does.
    private static func state(_ id: Int32) -> Character? {
      guard let file = fopen("/proc/\(id)/stat", "r") else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 512)
      let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
      return text.split(separator: ")").last?.split(separator: " ").first?.first
    }

    static func limit(_ resource: __rlimit_resource, _ value: rlim_t) {
      var limit = rlimit(rlim_cur: value, rlim_max: value)
      setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
  #endif

  /// Waits for what happens by itself and cannot be awaited.
  static func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<2_000 {
      if condition() { return true }
      try await Task.sleep(for: .milliseconds(2))
    }
    return condition()
  }

  static func openDescriptors() -> Int {
    var count = 0
    for descriptor in Int32(0)..<4_096 where fcntl(descriptor, F_GETFD) >= 0 { count += 1 }
    return count
  }
}

extension CapturedOutput {
  var string: String { text() }
  /// The numbers in the output, one a line.
  var numbers: [Int32] { text().split(separator: "\n").compactMap { Int32($0) } }
}
