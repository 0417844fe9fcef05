/// Why a session could not be read or continued.
public struct SessionError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure.
  public let code: Code
  /// One sentence with the reason and what to do.
  public let message: String
  /// The first record that cannot be read, where `code` is `.damaged`.
  public let seq: Int?
  /// What lies beneath.
  public let underlying: (any Error)?

  /// A failure.
  public init(code: Code, message: String, seq: Int? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.seq = seq
    self.underlying = underlying
  }

  public var description: String { message }

  /// Kinds of failure. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No such session.
    public static let notFound = Self(rawValue: "not_found")
    /// There is such a session already.
    public static let exists = Self(rawValue: "exists")
    /// Somebody else is running it.
    public static let leaseHeld = Self(rawValue: "lease_held")
    /// Somebody else took it over.
    public static let leaseLost = Self(rawValue: "lease_lost")
    /// The log has moved on.
    public static let sequenceConflict = Self(rawValue: "sequence_conflict")
    /// The log holds something this version must not continue.
    public static let readOnly = Self(rawValue: "read_only")
    /// A record cannot be read; those before it can, and `SessionStore.quarantine(from:lease:)` lets the session go on.
    public static let damaged = Self(rawValue: "damaged")
    /// The storage failed: full, unreadable, damaged as a whole.
    public static let storage = Self(rawValue: "storage")
  }

  package static func missing(_ session: String) -> Self {
    Self(code: .notFound, message: "there is no session \(session)")
  }

  package static func held(_ session: String, by holder: String) -> Self {
    Self(
      code: .leaseHeld, message: "session \(session) is in use by \(holder): wait for it, or use another session")
  }

  package static func lost(_ session: String) -> Self {
    Self(
      code: .leaseLost, message: "session \(session) was taken over by another process: reopen it to continue")
  }

  package static func conflict(_ session: String, record: Int?, after seq: Int) -> Self {
    Self(
      code: .sequenceConflict, message: "record \(record ?? 0) does not follow \(seq) in session \(session)")
  }

  package static func taken(_ session: String) -> Self {
    Self(code: .exists, message: "there is a session \(session) already: choose another id")
  }

  package static func damaged(_ session: String, at seq: Int, _ reason: String) -> Self {
    Self(
      code: .damaged,
      message: "record \(seq) of session \(session) cannot be read (\(reason)): the records before it can", seq: seq)
  }
}
