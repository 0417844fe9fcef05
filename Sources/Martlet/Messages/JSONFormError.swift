/// A JSON document that is well formed but not of the expected form.
public struct JSONFormError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The field at fault, as a dotted path from the value that was read; empty for the value itself.
  public var path: String
  /// What was expected there.
  public var message: String

  /// An error at a field.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  public var description: String { path.isEmpty ? message : "\(path): \(message)" }

  /// The same error seen from one level further out.
  func nested(in key: String) -> Self {
    Self(path: path.isEmpty ? key : "\(key).\(path)", message: message)
  }
}
