/// The syntax tree of a regular expression.
///
/// It holds what decides whether a text matches: groups are gone and a lazy quantifier equals a greedy one, because
/// nothing is captured.
package indirect enum PatternNode: Hashable, Sendable {
  /// Matches the empty text.
  case empty
  /// One code point out of a class.
  case scalar(ScalarClass)
  case concatenation([PatternNode])
  case alternation([PatternNode])
  /// `max` is nil where there is no upper bound.
  case repetition(PatternNode, min: Int, max: Int?)
  case boundary(PatternBoundary)
  case lookaround(PatternNode, PatternLook)
}

/// A condition on a place between two code points.
package enum PatternBoundary: Hashable, Sendable {
  case start, end, word, notWord
}

/// The direction and sense of a lookahead or lookbehind.
package struct PatternLook: Hashable, Sendable {
  package var isAhead: Bool
  package var isNegative: Bool

  package init(isAhead: Bool, isNegative: Bool) {
    self.isAhead = isAhead
    self.isNegative = isNegative
  }
}
