/// Why a command could not do its work: a sentence for the user, with the reason and what to do, and the exit status.
package struct CommandFailure: Error, Sendable {
  let status: ExitStatus
  let message: String
  let underlying: (any Error)?

  init(_ status: ExitStatus, _ message: String, underlying: (any Error)? = nil) {
    self.status = status
    self.message = message
    self.underlying = underlying
  }

  /// A mistake in the command line or the configuration.
  static func usage(_ message: String, underlying: (any Error)? = nil) -> Self {
    Self(.usage, message, underlying: underlying)
  }

  /// Something that is listed and not there yet.
  static func notYet(_ what: String) -> Self { Self(.usage, "\(what) is not available yet") }

  static func failed(_ message: String, underlying: (any Error)? = nil) -> Self {
    Self(.failed, message, underlying: underlying)
  }
}
