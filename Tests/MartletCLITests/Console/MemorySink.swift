import MartletSync

@testable import MartletCLI

/// Keeps what is written.
final class MemorySink: OutputSink {
  private let kept = Locked("")

  var text: String { kept.withLock { $0 } }

  func write(_ text: String) { kept.withLock { $0 += text } }
}

extension Console {
  /// A console whose output tests can look at.
  static func inMemory(terminal: Bool = false) -> (console: Console, output: MemorySink, error: MemorySink) {
    let (output, error) = (MemorySink(), MemorySink())
    return (
      Console(output: output, error: error, isOutputTerminal: terminal, isErrorTerminal: terminal, isPlain: true),
      output,
      error
    )
  }
}
