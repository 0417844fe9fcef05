extension ToolCallParser {
  /// A call as a model wrote it. Ids are given by whoever turns it into a `ToolCall`.
  public struct Call: Sendable, Hashable {
    /// The tool's name; empty when the markup was a call beyond doubt but no name could be read. The arguments are
    /// `.unparsed` then.
    public var name: String
    /// The arguments, or the text that could not be read as an object with the reason. Never an empty object instead of
    /// something unreadable: `{}` means that the model wrote no arguments.
    public var arguments: ToolCall.Arguments
    /// What had to be repaired to read the arguments; empty when they were as the dialect asks.
    public var repairs: [Repair]
    /// The id the model wrote itself, where its dialect has one (`functions.search:0`).
    public var writtenID: String?

    /// A call.
    public init(name: String, arguments: ToolCall.Arguments, repairs: [Repair] = [], writtenID: String? = nil) {
      self.name = name
      self.arguments = arguments
      self.repairs = repairs
      self.writtenID = writtenID
    }
  }

  /// A fault of a model's markup that has only one reading and was read so.
  public enum Repair: String, Sendable, Hashable, CaseIterable {
    /// A string in single quotes.
    case singleQuotes
    /// A comma before a closing bracket.
    case trailingComma
    /// `True`, `False` or `None`.
    case pythonLiteral
    /// A line break or another control character inside a string.
    case rawControlCharacter
    /// An escaped apostrophe.
    case invalidEscape
    /// A key without quotes.
    case unquotedKey
    /// Brackets or tags missing at the end.
    case missingClose
    /// Brackets too many at the end.
    case extraClose
  }
}
