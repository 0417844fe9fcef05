public import MartletJSON

/// What a tool gives back.
public struct ToolOutput: Sendable, Hashable {
  /// What the model sees: text, media.
  public var content: [ContentBlock]
  /// The same as data, for programs; nil when there is none.
  public var structured: JSONValue?
  /// Whether the call failed.
  public var isError: Bool
  /// Why, for programs.
  public var code: ToolResult.Code?

  /// Output of blocks.
  public init(
    content: [ContentBlock], structured: JSONValue? = nil, isError: Bool = false, code: ToolResult.Code? = nil
  ) {
    self.content = content
    self.structured = structured
    self.isError = isError
    self.code = code
  }

  /// A text.
  public static func text(_ text: String) -> Self { Self(content: [.text(text)]) }

  /// Data; the model sees its JSON text, or `text` where that reads better.
  public static func structured(_ value: JSONValue, text: String? = nil) -> Self {
    Self(content: [.text(text ?? value.text())], structured: value)
  }

  /// A failure that the model can read and act on.
  public static func failure(_ message: String, code: String? = nil) -> Self {
    Self(
      content: [.text(message)], isError: true, code: code.map(ToolResult.Code.init(rawValue:)) ?? .toolFailed)
  }
}
