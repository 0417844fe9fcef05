/// A secret that does not print itself.
public struct APIKey: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret.
  public let value: String

  /// A key. White space around it is dropped: keys are pasted with line ends.
  public init(_ value: String) {
    self.value = String(
      value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  public var description: String { "(key)" }
  public var debugDescription: String { "(key)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
