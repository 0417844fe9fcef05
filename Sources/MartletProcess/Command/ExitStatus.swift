/// How a process ended.
public enum ExitStatus: Sendable, Hashable, CustomStringConvertible {
  /// It returned this status; 0 means success.
  case exited(Int32)
  /// A signal ended it.
  case signaled(Int32)
  /// It is gone, but someone else in this program collected its status.
  case unknown

  /// Whether it ended by itself with status 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// The status as a shell gives it: 128 + signal number for a signal, nil when unknown.
  public var shellStatus: Int32? {
    switch self {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    case .unknown: nil
    }
  }

  public var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signaled(let signal): "ended by signal \(signal)"
    case .unknown: "exit status unknown"
    }
  }
}
