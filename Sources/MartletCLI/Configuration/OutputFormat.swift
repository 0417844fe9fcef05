/// What goes to standard output.
enum OutputFormat: String, Sendable, CaseIterable {
  /// The answer alone.
  case text
  /// One object at the end.
  case json
  /// Every event, one a line.
  case jsonl
}
