/// Where log lines go. The library never makes a logger of its own and writes `info` or above only for what a person
/// running it should see; prompts, keys and tool output are never logged.
public protocol LogSink: Sendable {
  /// Whether lines of the level are kept; asked before a line is built.
  func isEnabled(for level: LogLevel) -> Bool
  /// Takes a line.
  func write(_ record: LogRecord)
}

extension LogSink {
  /// Writes a line if its level is kept. `message` is a constant; what varies goes into `metadata`.
  public func log(
    _ level: LogLevel, _ message: @autoclosure () -> String, metadata: @autoclosure () -> [String: String] = [:],
    file: String = #fileID, line: UInt = #line
  ) {
    guard isEnabled(for: level) else { return }
    write(LogRecord(level: level, message: message(), metadata: metadata(), file: file, line: line))
  }
}

/// How much a log line matters.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
  case trace, debug, info, notice, warning, error, critical

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One log line.
public struct LogRecord: Sendable, Hashable {
  public var level: LogLevel
  public var message: String
  /// What varies, under dotted names (`tool.name`, `run.id`).
  public var metadata: [String: String]
  public var file: String
  public var line: UInt

  /// A line.
  public init(level: LogLevel, message: String, metadata: [String: String], file: String, line: UInt) {
    self.level = level
    self.message = message
    self.metadata = metadata
    self.file = file
    self.line = line
  }
}

/// Keeps nothing.
public struct NoLogSink: LogSink {
  public init() {}
  public func isEnabled(for level: LogLevel) -> Bool { false }
  public func write(_ record: LogRecord) {}
}
