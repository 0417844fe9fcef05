/// A literal in a model's output that is not prose.
struct Marker: Sendable {
  enum Action: Sendable {
    /// Tool calls may begin. The section starts after the literal.
    case calls(@Sendable () -> any CallSection)
    /// Thinking begins, and ends with one of the literals.
    case thinking(closers: [[UInt8]])
    /// Thinking ends. Where none is open the marker is dropped.
    case endOfThinking
    /// A control token without meaning here: dropped.
    case drop
    /// A Markdown code fence, which may hold calls.
    case fence(CodeFence.Rules)
  }

  /// Where the marker counts.
  struct Condition: OptionSet, Sendable {
    let rawValue: Int
    /// Only at the beginning of the turn, of a line, or after other markup.
    static let lineHead = Self(rawValue: 1)
    /// Only at the beginning of the turn or after other markup.
    static let start = Self(rawValue: 2)
    /// Not right after a quotation mark or a backtick, nor in a code block: there it is talked about.
    static let notQuoted = Self(rawValue: 4)
  }

  let literal: [UInt8]
  let action: Action
  let condition: Condition
  /// Whether the marker ends thinking that was left open. True for what is a single special token of its model.
  let endsThinking: Bool

  init(_ literal: String, _ action: Action, _ condition: Condition = [], endsThinking: Bool = false) {
    self.literal = Array(literal.utf8)
    self.action = action
    self.condition = condition
    self.endsThinking = endsThinking
  }

  static func calls(
    _ literal: String, _ condition: Condition = [], endsThinking: Bool = false,
    _ section: @escaping @Sendable () -> any CallSection
  ) -> Marker {
    Marker(literal, .calls(section), condition, endsThinking: endsThinking)
  }

  static func drop(_ literal: String, _ condition: Condition = []) -> Marker {
    Marker(literal, .drop, condition)
  }

  static func thinking(_ open: String, _ close: String, _ condition: Condition = []) -> [Marker] {
    [
      Marker(open, .thinking(closers: [Array(close.utf8)]), condition),
      Marker(close, .endOfThinking, condition),
    ]
  }
}
