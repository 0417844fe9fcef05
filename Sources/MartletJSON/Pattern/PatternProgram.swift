/// A nondeterministic automaton: where it may be after reading some code points is a set of instructions.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    /// Read this code point.
    case scalar(UInt32)
    /// Read a code point of the class at this index.
    case member(of: Int)
    case split(Int, Int)
    case jump(Int)
    case boundary(PatternBoundary)
    /// Go on only where the look at this index holds (or, negative, does not).
    case look(Int, isNegative: Bool)
    case accept
  }

  /// A lookahead reads backward from each place it could end at, a lookbehind forward; so both take linear time.
  struct Look: Sendable {
    let program: PatternProgram
    let readsForward: Bool
  }

  fileprivate(set) var instructions: [Instruction] = []
  fileprivate(set) var classes: [ScalarClass] = []

  /// Whether a match can begin only at the first place.
  var isAnchored: Bool {
    guard case .boundary(.start) = instructions.first else { return false }
    return true
  }
}

/// Turns a syntax tree into the program of the whole pattern and those of its lookarounds, inner ones first.
struct PatternCompiler {
  /// Bounds memory (some 500 KB) and, with the length of the text, time. `{1,10000}` of one class still fits.
  static let maximumInstructions = 20_000

  private(set) var looks: [PatternProgram.Look] = []
  private var program = PatternProgram()
  private var readsForward = true
  private var classIndexes: [ScalarClass: Int] = [:]
  private var total = 0

  mutating func compile(_ node: PatternNode, readsForward: Bool = true) throws(PatternError) -> PatternProgram {
    let outer = (program, self.readsForward, classIndexes)
    defer { (program, self.readsForward, classIndexes) = outer }
    program = PatternProgram()
    self.readsForward = readsForward
    classIndexes = [:]
    try emit(node)
    try append(.accept)
    return program
  }

  private mutating func append(_ instruction: PatternProgram.Instruction) throws(PatternError) {
    total += 1
    guard total <= Self.maximumInstructions else {
      throw PatternError(message: "its repeat counts make it too large", offset: 0)
    }
    program.instructions.append(instruction)
  }

  private mutating func emit(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .empty: break
    case .scalar(let scalars):
      if let single = scalars.single {
        try append(.scalar(single))
      } else {
        let index = classIndexes[scalars] ?? program.classes.count
        if index == program.classes.count {
          program.classes.append(scalars)
          classIndexes[scalars] = index
        }
        try append(.member(of: index))
      }
    case .concatenation(let parts):
      for part in readsForward ? parts : parts.reversed() { try emit(part) }
    case .alternation(let branches): try emit(branches)
    case .repetition(let body, let min, let max): try emit(body, min: min, max: max)
    case .boundary(let boundary): try append(.boundary(boundary))
    case .lookaround(let body, let look):
      let inner = try compile(body, readsForward: !look.isAhead)
      looks.append(PatternProgram.Look(program: inner, readsForward: !look.isAhead))
      try append(.look(looks.count - 1, isNegative: look.isNegative))
    }
  }

  private mutating func emit(_ branches: [PatternNode]) throws(PatternError) {
    var exits: [Int] = []
    for (index, branch) in branches.enumerated() {
      guard index < branches.count - 1 else {
        try emit(branch)
        break
      }
      let split = program.instructions.count
      try append(.split(split + 1, 0))
      try emit(branch)
      exits.append(program.instructions.count)
      try append(.jump(0))
      program.instructions[split] = .split(split + 1, program.instructions.count)
    }
    for exit in exits { program.instructions[exit] = .jump(program.instructions.count) }
  }

  private mutating func emit(_ body: PatternNode, min: Int, max: Int?) throws(PatternError) {
    // Without this, nothing repeated a million times would take a million rounds to emit nothing.
    let before = program.instructions.count
    for round in 0..<min {
      try emit(body)
      if round == 0, program.instructions.count == before { return }
    }
    if let max {
      var splits: [Int] = []
      for _ in min..<max {
        splits.append(program.instructions.count)
        try append(.split(0, 0))
        try emit(body)
      }
      let end = program.instructions.count
      for split in splits { program.instructions[split] = .split(split + 1, end) }
    } else {
      let split = program.instructions.count
      try append(.split(0, 0))
      try emit(body)
      try append(.jump(split))
      program.instructions[split] = .split(split + 1, program.instructions.count)
    }
  }
}
