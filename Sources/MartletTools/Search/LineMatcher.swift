import CFiles
import MartletJSON

/// Finds a pattern in lines. A value for one search at a time, as it learns while it runs.
struct LineMatcher {
  let pattern: LinePattern
  private var automaton: LazyAutomaton?

  init(_ pattern: LinePattern) {
    self.pattern = pattern
    automaton = pattern.program.map(LazyAutomaton.init)
  }

  /// Where the first match in a line ends, or some place in the line where that is not known; nil without a match.
  mutating func firstMatchEnd(in line: UnsafeRawBufferPointer) -> Int? {
    if automaton != nil { return automaton?.firstMatchEnd(in: line) }
    // Nil, for a text on which it took too long, counts as none.
    return pattern.general.matches(String(decoding: line, as: UTF8.self)) == true ? 0 : nil
  }

  /// Goes on with a piece of a line too long for memory. Returns where in the piece a match ended.
  mutating func advance(_ cursor: inout LazyAutomaton.Cursor, over piece: UnsafeRawBufferPointer) -> Int? {
    if automaton != nil { return automaton?.advance(&cursor, over: piece) }
    // The general matcher takes each piece for a line.
    return firstMatchEnd(in: piece)
  }

  /// The long line is over: whether that completed a match.
  mutating func finish(_ cursor: inout LazyAutomaton.Cursor) -> Bool { automaton?.finish(&cursor) ?? false }

  /// The first place from which a line with a match may be found; nil if there is none in these bytes.
  func firstCandidate(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard !pattern.literal.isEmpty else { return bytes.isEmpty ? nil : 0 }
    // No line holds a newline.
    if pattern.literal.contains(UInt8(ascii: "\n")) { return nil }
    let place = cfiles_find(bytes.baseAddress, bytes.count, pattern.literal, pattern.literal.count)
    return place < 0 ? nil : place
  }
}
