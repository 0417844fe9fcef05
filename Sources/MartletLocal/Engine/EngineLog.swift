import CLlama
import MartletSync

/// Catches what llama.cpp would print: nothing reaches the terminal, and the last complaint explains a failed load.
enum EngineLog {
  private static let lastError = Locked<String?>(nil)

  /// Starts the backend and takes over its log, once a process.
  static let start: Void = {
    llama_log_set(
      { level, text, _ in
        guard level == GGML_LOG_LEVEL_ERROR, let text else { return }
        EngineLog.note(String(cString: text))
      }, nil)
    llama_backend_init()
  }()

  /// The first complaint since the last call, without the name of the function that complained.
  ///
  /// Process-wide: with two models loading at once one may be told the other's reason.
  static func takeError() -> String? {
    let line = lastError.withLock { line in
      defer { line = nil }
      return line
    }
    guard var line else { return nil }
    if let colon = line.firstRange(of: ": ") { line = String(line[colon.upperBound...]) }
    while line.last?.isWhitespace == true { line.removeLast() }
    return line.isEmpty ? nil : line
  }

  private static func note(_ line: String) {
    lastError.withLock { if $0 == nil { $0 = line } }
  }
}
