extension ToolCallParser {
  /// What the parser makes of a model's output.
  ///
  /// Of each call there is exactly one `callStarted`, any number of `callArguments`, then exactly one `call`, all with
  /// the same index; calls are numbered from 0 and do not overlap.
  public enum Output: Sendable, Hashable {
    /// Text for the user.
    case text(String)
    /// The model's reasoning.
    case thinking(String)
    /// A call begins: a preview to show.
    case callStarted(index: Int, name: String)
    /// More of a call's arguments as JSON text: a preview to show. What the model wrote, so it may yet turn out broken.
    case callArguments(index: Int, delta: String)
    /// A call, complete.
    case call(index: Int, Call)
    /// Markup that was consumed, with `reportsMarkup` only: all strings of text, thinking and markup in order are the
    /// input.
    case markup(String)
  }
}
