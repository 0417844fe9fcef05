/// Why an expression has no value, and where it stops making sense.
struct ArithmeticError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One clause: the reason, and what to write instead where that is known.
  let message: String
  /// The character of the expression, from 0, that the message is about; nil when it is about the whole.
  let position: Int?

  init(_ message: String, at position: Int? = nil) {
    self.message = message
    self.position = position
  }

  var description: String { position.map { "\(message) (at character \($0 + 1))" } ?? message }
}
