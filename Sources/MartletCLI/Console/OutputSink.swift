/// Where bytes go.
package protocol OutputSink: Sendable {
  /// Writes all of it.
  func write(_ text: String) throws(OutputFailure)
}

/// Why output could not be written.
package struct OutputFailure: Error, Sendable {
  /// Whether the reader has gone away, as `head` does: no reason to say anything.
  package let isClosed: Bool
  /// The reason, in the system's words.
  package let reason: String

  package init(isClosed: Bool, reason: String) {
    self.isClosed = isClosed
    self.reason = reason
  }
}
