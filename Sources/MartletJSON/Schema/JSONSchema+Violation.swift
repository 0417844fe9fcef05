extension JSONSchema {
  /// One thing that is wrong with a value.
  public struct Violation: Hashable, Sendable {
    /// A JSON Pointer (RFC 6901) to the part of the value; empty for all of it.
    public let instancePath: String
    /// A JSON Pointer to the keyword in the schema, behind the URI of its document and a `#` if that is another one.
    public let schemaPath: String
    /// The keyword that failed, such as `maximum`.
    public let keyword: String
    /// One sentence that tells a model how to mend the value, such as "`days` must be at most 14, got 20". It may quote
    /// a short piece of the value.
    public let message: String
  }
}

extension JSONSchema.Violation: CustomStringConvertible {
  public var description: String { message }
}
