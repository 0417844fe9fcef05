import Martlet

/// What fills a model's window, in a line or two.
struct ContextReport {
  private let usage: ContextUsage

  init(_ usage: ContextUsage) { self.usage = usage }

  var text: String {
    let parts = [
      ("instructions", usage.instructions), ("tools", usage.tools), ("skills", usage.skills), ("memory", usage.memory),
      ("history", usage.history),
    ].filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
    let about = usage.isEstimated ? "about " : ""
    var text = "context: \(about)\(usage.used) tokens"
    if let window = usage.window, window > 0 {
      text += " of \(window) (\(min(100, usage.used * 100 / window)) %)"
    }
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    if let free = usage.free { text += "; free \(free)" }
    return text
  }
}
