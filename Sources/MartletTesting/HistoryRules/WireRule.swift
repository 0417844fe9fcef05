/// One thing a provider asks of a request on the wire.
public struct WireRule<Request: Sendable>: Sendable {
  /// A name that does not change.
  public let name: String
  /// Where the rule comes from: a section of the provider's documentation, a recorded answer, or what others reported.
  /// Says so when the wording of the message is not the provider's own.
  public let source: String
  private let check: @Sendable (Request, String) -> [RuleViolation]

  init(_ name: String, source: String, _ check: @escaping @Sendable (Request, String) -> [RuleViolation]) {
    self.name = name
    self.source = source
    self.check = check
  }

  /// What breaks the rule.
  public func violations(in request: Request) -> [RuleViolation] {
    check(request, name)
  }
}
