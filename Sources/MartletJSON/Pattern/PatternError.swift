/// Why a regular expression was refused, in one sentence fit for a schema author.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  package let message: String
  /// The code point in the source, from 0, at which reading stopped.
  package let offset: Int

  package var description: String { "\(message) (at character \(offset + 1))" }
}
