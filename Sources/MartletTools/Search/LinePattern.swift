import MartletJSON

/// A regular expression that lines are searched for.
struct LinePattern: Sendable {
  let literal: [UInt8]
  let isLiteral: Bool
  /// Nil where only the general matcher will do.
  let program: ByteProgram?
  let general: Pattern

  struct Malformed: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// - Parameter text: ECMA-262 syntax; `(?i)` in front ignores case.
  init(_ text: String) throws(Malformed) {
    let ignoresCase = text.hasPrefix("(?i)")
    let pattern: Pattern
    do throws(PatternError) {
      pattern = try Pattern(ignoresCase ? String(text.dropFirst(4)) : text)
    } catch {
      throw Malformed(description: "\(error)")
    }
    let syntax = ignoresCase ? pattern.syntax.ignoringCase : pattern.syntax
    let required = RequiredLiteral(syntax)
    literal = required.bytes
    isLiteral = required.isWholePattern
    program = try? ByteProgram(syntax)  // the general matcher knows what bytes cannot express
    if program == nil, ignoresCase {
      throw Malformed(description: "(?i) does not go with lookaround, Unicode properties or very long repetitions")
    }
    general = pattern
  }
}
