/// A JSON Schema (draft 2020-12), compiled once and then used for checking, mending and describing values.
///
/// Supports the whole 2020-12 vocabulary. Documents whose `$schema` names draft 4, 6, 7 or 2019-09 are read by the rules
/// of that draft. Nothing is ever fetched: a `$ref` must lead into the document, to the 2020-12 metaschema, or to one
/// of the given resources. Regular expressions are ECMA-262 without backreferences and match in linear time.
///
/// ```swift
/// let schema = try JSONSchema(["type": "object", "properties": ["days": ["type": "integer", "maximum": 14]]])
/// schema.validate(["days": 20]).first?.message  // `days` must be at most 14, got 20
/// schema.coerce(["days": "3"])                  // {"days":3}
/// ```
public struct JSONSchema: Sendable {
  /// Choices of how a document is read.
  public struct Options: Hashable, Sendable {
    /// Whether `format` is checked: `date-time`, `date`, `time`, `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `uri`,
    /// `uri-reference`, `uuid`, `json-pointer`, `regex`. False by default: 2020-12 makes it a mere note.
    public var assertsFormats: Bool
    /// Whether a pattern that cannot be used is passed over instead of being an error. False by default.
    public var ignoresUnusablePatterns: Bool
    /// The draft of documents that do not name theirs.
    package var dialect = SchemaDialect.draft2020

    /// The choices, each with its default.
    public init(assertsFormats: Bool = false, ignoresUnusablePatterns: Bool = false) {
      self.assertsFormats = assertsFormats
      self.ignoresUnusablePatterns = ignoresUnusablePatterns
    }
  }

  /// The schema as it was given.
  public let document: JSONValue
  let program: SchemaProgram

  /// Compiles a document.
  ///
  /// - Parameters:
  ///   - document: an object, `true` or `false`.
  ///   - options: how to read it.
  ///   - resources: other schema documents by the absolute URI that references use for them.
  /// - Throws: what is wrong with the document: a keyword of the wrong type, a pattern that cannot be used,
  ///   a reference that leads nowhere or round in a circle, too deep nesting.
  public init(
    _ document: JSONValue, options: Options = Options(), resources: [String: JSONValue] = [:]
  ) throws(JSONSchemaError) {
    self.document = document
    program = try SchemaCompiler.compile(document, options: options, resources: resources)
  }

  /// What is wrong with a value; empty if nothing is.
  ///
  /// - Parameters:
  ///   - value: the value to check.
  ///   - limit: the most violations to find, at least 1. Checking stops there.
  public func validate(_ value: JSONValue, limit: Int = 20) -> [Violation] {
    var validator = SchemaValidator(program, limit: max(1, limit), value: value)
    return validator.violations(of: value)
  }

  /// Whether a value has no violation. Faster than `validate(_:limit:)`.
  public func isValid(_ value: JSONValue) -> Bool {
    var validator = SchemaValidator(program, limit: 0, value: value)
    return validator.isValid(value)
  }
}

extension JSONSchema: Hashable {
  /// Whether the documents are equal.
  public static func == (left: Self, right: Self) -> Bool { left.document == right.document }

  public func hash(into hasher: inout Hasher) { hasher.combine(document) }
}
