/// Why a recording could not be made or read, or why a replay is not what was recorded. Its text is safe to show: what the
/// difference is made of is in `recorded` and `replayed`.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
  /// Kinds of failure. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be written, or not be read.
    public static let storage = Self(rawValue: "storage")
    /// There is a file of that name already.
    public static let exists = Self(rawValue: "exists")
    /// It is no recording, or a line in it is not.
    public static let damaged = Self(rawValue: "damaged")
    /// A later version wrote it.
    public static let tooNew = Self(rawValue: "too_new")
    /// The recorded program ended in the middle of a run; everything up to there was replayed.
    public static let cut = Self(rawValue: "cut")
    /// The replay is not what was recorded.
    public static let diverged = Self(rawValue: "diverged")
    /// What the recording says comes next does not come.
    public static let stalled = Self(rawValue: "stalled")
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence with the reason.
  public let message: String
  /// The durable event at which the replay differs.
  public var seq: Int?
  /// The field that differs, as `message.content[0].text`; empty when the whole does.
  public var path: String?
  /// The byte at which the event's (or request's) JSON text differs, from 0.
  public var offset: Int?
  /// The recording's text around there, and the replay's. May hold what users say: not for logs.
  public var recorded: String?
  /// What came instead of `recorded`.
  public var replayed: String?
  /// What lies beneath.
  public var underlying: (any Error)?

  init(_ code: Code, _ message: String, seq: Int? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.seq = seq
    self.underlying = underlying
  }

  public var description: String { "\(code.rawValue): \(message)" }
}
