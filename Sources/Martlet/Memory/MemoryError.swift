/// Why a memory could not be read or changed. Its text holds no note.
public struct MemoryError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure.
  public let code: Code
  /// One sentence with the reason and what to do.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  init(code: Code, message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { message }

  /// Kinds of failure. An open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The note would not fit any more.
    public static let full = Self(rawValue: "memory_full")
    /// There is nothing in the note.
    public static let empty = Self(rawValue: "empty_note")
    /// No note, or more than one, is as described.
    public static let notFound = Self(rawValue: "not_found")
    /// Another process has been writing for too long.
    public static let busy = Self(rawValue: "memory_busy")
    /// The file cannot be read or written.
    public static let storage = Self(rawValue: "storage")
  }
}
