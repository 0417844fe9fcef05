public import MartletJSON

/// What a call asked for, and what came.
public struct ToolInput: Sendable, Hashable {
  /// What kind of input.
  public var kind: InputNeeded.Kind
  /// What was asked.
  public var payload: JSONValue
  /// What came; nil when it was declined, or came too late.
  public var value: JSONValue?

  /// An input.
  public init(kind: InputNeeded.Kind, payload: JSONValue, value: JSONValue?) {
    self.kind = kind
    self.payload = payload
    self.value = value
  }

  init(_ request: InputRequested, _ resolved: InputResolved) {
    self.init(kind: InputNeeded.Kind(rawValue: request.kind), payload: request.payload, value: nil)
    if !resolved.declined { value = resolved.value ?? .null }
  }
}
