import Martlet

/// The log levels by name.
enum LogLevelName: String, Sendable, CaseIterable {
  case trace, debug, info, notice, warning, error, critical

  var level: LogLevel {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}
