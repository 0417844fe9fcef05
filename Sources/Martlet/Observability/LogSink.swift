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
  /// Every step.
  case trace
  /// What helps to find a fault.
  case debug
  /// What a person running it may want to see, such as a retry.
  case info
  /// What is unusual and still right.
  case notice
  /// What may go wrong.
  case warning
  /// What went wrong.
  case error
  /// What ends the program.
  case critical

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One log line.
public struct LogRecord: Sendable, Hashable {
  /// How much it matters.
  public var level: LogLevel
  /// A constant text.
  public var message: String
  /// What varies, under dotted names (`tool.name`, `run.id`).
  public var metadata: [String: String]
  /// Where it was written, as `Module/File.swift`.
  public var file: String
  /// The line in `file`.
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
  /// A sink that keeps nothing.
  public init() {}
  public func isEnabled(for level: LogLevel) -> Bool { false }
  public func write(_ record: LogRecord) {}
}
