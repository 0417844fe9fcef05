public import Martlet

/// One thing that every provider asks of a conversation.
public struct MessageRule: Sendable {
  /// A name that does not change.
  public let name: String
  /// Which provider would refuse it, by the rule of its own that this one stands for.
  public let source: String
  private let check: @Sendable ([Message]) -> [String]

  init(_ name: String, source: String, _ check: @escaping @Sendable ([Message]) -> [String]) {
    self.name = name
    self.source = source
    self.check = check
  }

  /// What breaks the rule, each as one sentence.
  public func violations(in messages: [Message]) -> [String] {
    check(messages)
  }
}
