#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and standard error, and what is known about them.
package struct Console: Sendable {
  package let output: any OutputSink
  package let error: any OutputSink
  package let isOutputTerminal: Bool
  package let isErrorTerminal: Bool
  /// Colour and progress: on a terminal that can, unless the user said no.
  package var isPlain: Bool

  package init(
    output: any OutputSink, error: any OutputSink, isOutputTerminal: Bool = false, isErrorTerminal: Bool = false,
    isPlain: Bool = true
  ) {
    self.output = output
    self.error = error
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.isPlain = isPlain
  }

  /// The process's own. `NO_COLOR` counts when it is set and not empty (no-color.org).
  static func standard(environment: [String: String]) -> Self {
    let noColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Self(
      output: FileDescriptorSink(descriptor: STDOUT_FILENO), error: FileDescriptorSink(descriptor: STDERR_FILENO),
      isOutputTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1,
      isPlain: noColor || environment["TERM"] == "dumb")
  }

  /// Writes an answer to standard output, with a line end.
  func print(_ text: String) throws(CommandFailure) { try write(text + "\n") }

  /// Writes to standard output as it is.
  func write(_ text: String) throws(CommandFailure) {
    do { try output.write(text) } catch { throw .output(error) }
  }

  /// Writes a line to standard error. What cannot be written there cannot be reported anywhere.
  func note(_ text: String) { try? error.write(text + "\n") }

  /// Rewrites the current line of the terminal.
  func noteInPlace(_ text: String) { try? error.write("\r\u{1B}[2K\(text)") }

  /// A line for a person who watches, dim; only on a terminal. Control sequences in it are taken out.
  func activity(_ text: String) {
    guard isErrorTerminal else { return }
    let line = ControlFilter.line(text)
    note(isPlain ? line : "\u{1B}[2m\(line)\u{1B}[0m")
  }

  /// A problem: one line on standard error.
  func problem(_ message: String) {
    let line = ControlFilter.line(message)
    note((isErrorTerminal && !isPlain ? "\u{1B}[1;31merror:\u{1B}[0m " : "error: ") + line)
  }

  /// Something the user should know and that stops nothing: one line on standard error.
  func notice(_ message: String) {
    let line = ControlFilter.line(message)
    note((isErrorTerminal && !isPlain ? "\u{1B}[1;33mnote:\u{1B}[0m " : "note: ") + line)
  }
}

extension CommandFailure {
  static func output(_ failure: OutputFailure) -> Self {
    Self(.failed, failure.isClosed ? "" : "the output cannot be written: \(failure.reason)", underlying: failure)
  }
}
