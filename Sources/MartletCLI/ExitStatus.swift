/// How the program ends.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// There is an answer.
  package static let answered = Self(rawValue: 0)
  /// The model, a tool, the storage or the output failed, or the answer was cut off.
  package static let failed = Self(rawValue: 1)
  /// The command line or the configuration is wrong.
  package static let usage = Self(rawValue: 2)
  /// A budget is used up: iterations, tokens, money or time.
  package static let budget = Self(rawValue: 3)
  /// The model refused.
  package static let refused = Self(rawValue: 4)
  /// An approval or an input is needed that nobody here can give.
  package static let waiting = Self(rawValue: 5)
  /// Cancelled with Ctrl-C.
  package static let cancelled = Self(rawValue: 130)
  /// Told to end (SIGTERM).
  package static let terminated = Self(rawValue: 143)
}
