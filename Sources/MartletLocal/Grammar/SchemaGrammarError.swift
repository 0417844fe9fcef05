/// A JSON Schema that no grammar can be made for.
public struct SchemaGrammarError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of obstacle; more may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case unsatisfiable, unresolved, unsupported
      case tooLarge = "too_large"
      case malformed
    }

    private let value: Value

    /// No value can satisfy the schema.
    public static let unsatisfiable = Self(value: .unsatisfiable)
    /// A `$ref` leads nowhere, outside the document, or only to itself.
    public static let unresolved = Self(value: .unresolved)
    /// A keyword asks for what a context-free grammar cannot say.
    public static let unsupported = Self(value: .unsupported)
    /// The grammar would be too large.
    public static let tooLarge = Self(value: .tooLarge)
    /// It is not a JSON Schema.
    public static let malformed = Self(value: .malformed)

    public var description: String { value.rawValue }
  }

  /// What kind of obstacle.
  public let code: Code
  /// Where in the schema, as a JSON pointer.
  public let path: String
  /// The reason.
  public let message: String

  init(_ code: Code, path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  public var description: String { path.isEmpty ? message : "\(message) (at \(path))" }
}
