import MartletSync

/// How likely a model names each tool when it was asked nothing: the same for a whole conversation, so kept.
final class HabitCache: Sendable {
  private struct Key: Hashable {
    let prompt: [Token]
    let names: [String]
  }

  private let known = Locked<(order: [Key], values: [Key: [Double]])>(([], [:]))
  private static let capacity = 32

  func value(for prompt: [Token], names: [String], compute: () throws -> [Double]) rethrows -> [Double] {
    let key = Key(prompt: prompt, names: names)
    if let value = known.withLock({ $0.values[key] }) { return value }
    let value = try compute()
    known.withLock {
      if $0.order.count == Self.capacity { $0.values[$0.order.removeFirst()] = nil }
      if $0.values.updateValue(value, forKey: key) == nil { $0.order.append(key) }
    }
    return value
  }
}
