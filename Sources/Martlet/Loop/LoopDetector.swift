import MartletJSON

/// Notices a model that makes the same call again and again, with the same arguments in whatever key order, whether it
/// failed or succeeded. It only warns: some loops are meant (polling).
struct LoopDetector: Sendable, Hashable {
  /// So many equal calls in one run are worth a warning; then each further doubling.
  static let threshold = 3
  /// Different calls that are remembered; beyond, new ones are not counted.
  private static let capacity = 4_096

  private struct Signature: Sendable, Hashable {
    var name: String
    var arguments: ToolCall.Arguments
  }

  private var counts: [Signature: Int] = [:]

  /// Counts a call; a warning when it has been made often.
  mutating func observe(_ call: ToolCall) -> Warning? {
    let signature = Signature(name: call.name, arguments: call.arguments)
    guard counts[signature] != nil || counts.count < Self.capacity else { return nil }
    let count = (counts[signature] ?? 0) + 1
    counts[signature] = count
    guard count >= Self.threshold, (count / Self.threshold).nonzeroBitCount == 1, count % Self.threshold == 0 else {
      return nil
    }
    return Warning(code: "repeated_call", message: "\(call.name) was called \(count) times with the same arguments")
  }
}
