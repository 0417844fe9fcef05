/// Why a text is no rule.
public struct PermissionRuleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence with the reason and what to write instead.
  public let message: String

  init(_ message: String) { self.message = message }

  public var description: String { message }
}
