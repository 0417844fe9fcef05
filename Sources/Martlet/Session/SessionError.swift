/// Why a session could not be read or continued.
public struct SessionError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure.
  public let code: Code
  /// One sentence with the reason and what to do.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  /// A failure.
  public init(code: Code, message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { message }

  /// Kinds of failure. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No such session.
    public static let notFound = Self(rawValue: "not_found")
    /// Somebody else is running it.
    public static let leaseHeld = Self(rawValue: "lease_held")
    /// Somebody else took it over.
    public static let leaseLost = Self(rawValue: "lease_lost")
    /// The log has moved on.
    public static let sequenceConflict = Self(rawValue: "sequence_conflict")
    /// The log holds something this version must not continue.
    public static let readOnly = Self(rawValue: "read_only")
    /// The storage failed: full, unreadable, damaged.
    public static let storage = Self(rawValue: "storage")
  }
}
