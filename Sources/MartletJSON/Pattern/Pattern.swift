/// A regular expression of JSON Schema's `pattern`: ECMA-262 syntax over code points, matched in linear time.
///
/// Covers classes, `\d \w \s`, `\p{…}` for general categories and the common binary properties, anchors, word
/// boundaries, groups, alternation, greedy and lazy quantifiers, lookahead and lookbehind. Not backreferences, script
/// properties or flags: those are a `PatternError`.
package struct Pattern: Hashable, Sendable {
  /// Some tenths of a second of work; any sensible pattern on a text of a megabyte needs less.
  package static let maximumSteps = 20_000_000

  package let source: String
  package let syntax: PatternNode
  private let program: PatternProgram
  private let looks: [PatternProgram.Look]

  package init(_ source: String) throws(PatternError) {
    var parser = PatternParser(source)
    syntax = try parser.parse()
    var compiler = PatternCompiler()
    program = try compiler.compile(syntax)
    looks = compiler.looks
    self.source = source
  }

  /// Whether the pattern matches anywhere in `text`; nil if finding out takes too long, which only a huge pattern on a
  /// huge text can bring about.
  package func matches(_ text: String, maximumSteps: Int = Self.maximumSteps) -> Bool? {
    var matcher = PatternMatcher(text, looks: looks, maximumSteps: maximumSteps)
    return matcher.matches(program)
  }

  package static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
