import Martlet

/// Text that grows line by line up to a number of bytes.
struct CappedText {
  /// What the results of tools may hold by default, so that the agent need not cut them.
  static let defaultLimit = 32 * 1_024
  /// Kept free for the notices that follow a cut.
  private static let noticeReserve = 512

  private(set) var text = ""
  private let limit: Int
  /// Some line did not fit.
  private(set) var isFull = false

  /// As much as the context of a call leaves, and 32 KiB at most.
  init(context: ToolContext) {
    // Four bytes a token, as the agent counts.
    self.init(limit: min(Self.defaultLimit, context.tokenLimit.multipliedReportingOverflow(by: 4).partialValue))
  }

  init(limit: Int) { self.limit = max(limit - Self.noticeReserve, 256) }

  var isEmpty: Bool { text.isEmpty }
  /// Bytes that still fit.
  var room: Int { limit - text.utf8.count }

  /// Adds a line and its newline. False, and nothing is added then, when there is no room.
  @discardableResult
  mutating func append(line: String) -> Bool {
    guard !isFull, text.utf8.count + line.utf8.count + 1 <= limit else {
      isFull = true
      return false
    }
    text += line
    text += "\n"
    return true
  }

  /// The text with notices after it, each on a line of its own in brackets.
  func text(notices: [String]) -> String {
    let lines = notices.map { "[\($0)]" }.joined(separator: "\n")
    if lines.isEmpty { return text.hasSuffix("\n") ? String(text.dropLast()) : text }
    return text + lines
  }
}
