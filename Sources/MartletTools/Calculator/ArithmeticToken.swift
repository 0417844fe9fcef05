/// The smallest parts of an expression.
struct ArithmeticToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case number(Rational)
    case plus, minus, times, divide, percent, power, factorial
    case open, close, comma
    /// A function, a constant, or the words `of` and `mod`; lower case.
    case name(String)
    case end
  }

  let kind: Kind
  /// The character it begins at.
  let position: Int
  /// Whether white space stands before it.
  let isSpaced: Bool
}
