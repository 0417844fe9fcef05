import Martlet

/// Log lines on standard error.
struct ConsoleLog: LogSink {
  let console: Console
  let level: LogLevel

  func isEnabled(for level: LogLevel) -> Bool { level >= self.level }

  func write(_ record: LogRecord) {
    let details = record.metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    console.note(ControlFilter.line("\(record.level): \(record.message)\(details)"))
  }
}
