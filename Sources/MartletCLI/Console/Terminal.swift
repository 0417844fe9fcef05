#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The person at the terminal: can be asked, wherever standard input and output go.
package struct Terminal: Sendable {
  let input: LineInput
  let output: any OutputSink

  package init(input: LineInput, output: any OutputSink) {
    self.input = input
    self.output = output
  }

  /// The controlling terminal; nil without one, or when neither standard input nor standard error is a terminal, so
  /// that a program started by another one never waits for an answer that nobody sees asked for.
  static func controlling() -> Self? {
    guard isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1 else { return nil }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    return Self(
      input: LineInput(descriptor: descriptor, ownsDescriptor: true),
      output: FileDescriptorSink(descriptor: descriptor))
  }

  /// Asks until the answer is one of `keys` (its first letter counts); nil when the terminal is gone.
  func choose(_ question: String, _ keys: [Character]) async throws -> Character? {
    while true {
      try output.write(question)
      guard let line = try await input.nextLine() else { return nil }
      if let key = line.trimmingSpaces().lowercased().first, keys.contains(key) { return key }
    }
  }
}
