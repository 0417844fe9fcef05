/// Lines up to a number of bytes; what does not fit is counted.
struct CappedText {
  private let limit: Int
  private var text = ""
  private(set) var shown = 0
  private var left = 0

  init(limit: Int) { self.limit = max(200, limit) }

  /// Adds a line if there is room; false when there is none.
  @discardableResult
  mutating func add(_ line: String) -> Bool {
    guard left == 0, text.utf8.count + line.utf8.count + 1 <= limit else {
      left += 1
      return false
    }
    text += line
    text += "\n"
    shown += 1
    return true
  }

  /// The lines, with a notice of what was left out.
  func text(of things: String) -> String {
    if left > 0 { return text + "[… \(left) more \(things) left out: ask for less at a time]" }
    return String(text.dropLast())
  }
}
