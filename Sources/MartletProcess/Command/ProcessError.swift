#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a process could not be started or talked to. That it failed by its own account is an ``ExitStatus``, no error.
public struct ProcessError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case notFound, notExecutable, workingDirectoryMissing, invalidCommand, argumentsTooLong
      case tooManyProcesses, tooManyFiles, inputClosed, unkillable, system
    }
    private let value: Value

    /// No such program.
    public static let notFound = Self(value: .notFound)
    /// The file is there but cannot be run: no permission, a directory, or an unknown format.
    public static let notExecutable = Self(value: .notExecutable)
    /// The working directory is missing, is no directory or may not be entered.
    public static let workingDirectoryMissing = Self(value: .workingDirectoryMissing)
    /// A NUL byte in an argument, or an impossible variable name.
    public static let invalidCommand = Self(value: .invalidCommand)
    /// Arguments and environment are larger than the system allows.
    public static let argumentsTooLong = Self(value: .argumentsTooLong)
    /// The system's or the user's limit of processes, or memory, is exhausted.
    public static let tooManyProcesses = Self(value: .tooManyProcesses)
    /// No descriptor is free.
    public static let tooManyFiles = Self(value: .tooManyFiles)
    /// The child no longer reads its input, has ended, or its input was closed here.
    public static let inputClosed = Self(value: .inputClosed)
    /// The process survived SIGKILL: it runs as another user or hangs in the kernel.
    public static let unkillable = Self(value: .unkillable)
    /// Any other failure of the system.
    public static let system = Self(value: .system)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence: the reason, and what to do where that is known.
  public let message: String
  /// What lies beneath.
  public let underlying: (any Error)?

  init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  public var description: String { message }

  /// A failed system call, in words: "cannot `action`: reason".
  init(errno number: Int32, doing action: String) {
    let code: Code =
      switch number {
      case EMFILE, ENFILE: .tooManyFiles
      case EAGAIN, ENOMEM: .tooManyProcesses
      case E2BIG: .argumentsTooLong
      default: .system
      }
    self.init(code, "cannot \(action): \(Self.text(number))")
  }

  static func text(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
