import MartletJSON

/// Runs a `ByteProgram` over lines, making a deterministic automaton of it as far as the text needs one: each byte costs
/// a look into a table, whatever the expression, and none can make it slow (K. Thompson 1968; lazily, as in RE2).
struct LazyAutomaton {
  /// What a step led to.
  private enum Outcome {
    static let unknown: Int32 = -1
    static let match: Int32 = -2
    static let dead: Int32 = -3
  }

  private enum Before: UInt8 {
    case lineStart, word, other
  }

  private struct State: Hashable {
    /// Sorted; what stands between two bytes is decided when the next byte is known.
    var instructions: [Int32]
    var before: Before
  }

  /// The bytes and the end of the line.
  private static let symbols = 257
  private static let end = 256
  /// Some four megabytes; then the automaton is made anew.
  private static let stateLimit = 4_000

  private let program: ByteProgram
  private let isAnchored: Bool
  private var table: [Int32] = []
  private var states: [State] = []
  private var numbers: [State: Int32] = [:]
  // Scratch space of one step.
  private var visited: [Int32]
  private var round: Int32 = 0

  init(_ program: ByteProgram) {
    self.program = program
    isAnchored = program.instructions.first == .boundary(.start)
    visited = [Int32](repeating: 0, count: program.instructions.count)
    reset()
  }

  /// A line that comes in pieces.
  struct Cursor {
    fileprivate var state: Int32 = 0
    var hasMatched = false
  }

  /// Where the first match in a line ends, if there is one. The line is given without its newline.
  mutating func firstMatchEnd(in line: UnsafeRawBufferPointer) -> Int? {
    var cursor = Cursor()
    if let end = advance(&cursor, over: line) { return end }
    return finish(&cursor) ? line.count : nil
  }

  /// Goes on with a piece of a line. Returns where in the piece a match ended.
  mutating func advance(_ cursor: inout Cursor, over bytes: UnsafeRawBufferPointer) -> Int? {
    var state = cursor.state
    var index = 0
    let count = bytes.count
    while index < count {
      guard state >= 0 else { break }
      let symbol = Int(bytes[index])
      // The table is read in a tight loop and only left for a step that is new.
      var next = table.withUnsafeBufferPointer { $0[Int(state) * Self.symbols + symbol] }
      if next == Outcome.unknown { next = step(&state, symbol) }
      if next == Outcome.match {
        cursor.hasMatched = true
        cursor.state = Outcome.match
        return index
      }
      state = next
      index += 1
    }
    cursor.state = state
    return nil
  }

  /// The line is over: whether that completed a match.
  mutating func finish(_ cursor: inout Cursor) -> Bool {
    guard cursor.state >= 0 else { return cursor.hasMatched }
    var state = cursor.state
    var next = table[Int(state) * Self.symbols + Self.end]
    if next == Outcome.unknown { next = step(&state, Self.end) }
    cursor.hasMatched = next == Outcome.match
    return cursor.hasMatched
  }

  private mutating func reset() {
    table.removeAll(keepingCapacity: true)
    states.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    _ = number(of: State(instructions: [0], before: .lineStart))
  }

  private mutating func number(of state: State) -> Int32 {
    if let number = numbers[state] { return number }
    let number = Int32(states.count)
    states.append(state)
    numbers[state] = number
    table.append(contentsOf: repeatElement(Outcome.unknown, count: Self.symbols))
    return number
  }

  /// Finds out what a symbol leads to and remembers it. Renumbers `state` when the automaton is made anew.
  private mutating func step(_ number: inout Int32, _ symbol: Int) -> Int32 {
    if states.count >= Self.stateLimit {
      let current = states[Int(number)]
      reset()
      number = self.number(of: current)
    }
    let outcome = successor(of: states[Int(number)], symbol)
    table[Int(number) * Self.symbols + symbol] = outcome
    return outcome
  }

  private mutating func successor(of state: State, _ symbol: Int) -> Int32 {
    round += 1
    var next: [Int32] = []
    var stack = state.instructions
    while let index = stack.popLast() {
      guard visited[Int(index)] != round else { continue }
      visited[Int(index)] = round
      switch program.instructions[Int(index)] {
      case .accept: return Outcome.match
      case .byte(let range):
        if symbol < Self.end, range.contains(UInt8(symbol)) { next.append(index + 1) }
      case .jump(let target): stack.append(Int32(target))
      case .split(let first, let second):
        stack.append(Int32(second))
        stack.append(Int32(first))
      case .boundary(let boundary): if holds(boundary, state.before, symbol) { stack.append(index + 1) }
      }
    }
    guard symbol != Self.end else { return Outcome.dead }
    if !isAnchored { next.append(0) }
    if next.isEmpty { return Outcome.dead }
    next.sort()
    var unique: [Int32] = []
    for index in next where unique.last != index { unique.append(index) }
    let before: Before = program.usesWordBoundaries && Self.isWord(symbol) ? .word : .other
    return number(of: State(instructions: unique, before: before))
  }

  private func holds(_ boundary: PatternBoundary, _ before: Before, _ symbol: Int) -> Bool {
    switch boundary {
    case .start: before == .lineStart
    case .end: symbol == Self.end
    case .word: (before == .word) != Self.isWord(symbol)
    // Within a character there is no place at all.
    case .notWord: (before == .word) == Self.isWord(symbol) && !(0x80...0xBF).contains(symbol)
    }
  }

  private static func isWord(_ symbol: Int) -> Bool {
    switch symbol {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
