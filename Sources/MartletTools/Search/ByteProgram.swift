import MartletJSON

/// A regular expression as an automaton over the bytes of UTF-8, which need not be decoded to be searched.
struct ByteProgram: Sendable {
  enum Instruction: Hashable, Sendable {
    case byte(ClosedRange<UInt8>)
    case split(Int, Int)
    case jump(Int)
    case boundary(PatternBoundary)
    case accept
  }

  /// The expression cannot be written over bytes: it looks around, uses Unicode properties or is too large.
  struct Unsupported: Error {}

  private static let sizeLimit = 40_000

  private(set) var instructions: [Instruction] = []
  private(set) var usesWordBoundaries = false

  init(_ node: PatternNode) throws(Unsupported) {
    try emit(node)
    try append(.accept)
  }

  private mutating func append(_ instruction: Instruction) throws(Unsupported) {
    guard instructions.count < Self.sizeLimit else { throw Unsupported() }
    instructions.append(instruction)
  }

  private mutating func emit(_ node: PatternNode) throws(Unsupported) {
    switch node {
    case .empty: break
    case .scalar(let scalars): try emit(try Self.sequences(of: scalars))
    case .concatenation(let parts): for part in parts { try emit(part) }
    case .alternation(let branches):
      try emit(branches.count) { program, index throws(Unsupported) in try program.emit(branches[index]) }
    case .repetition(let body, let min, let max): try emit(body, min: min, max: max)
    case .boundary(let boundary):
      if boundary == .word || boundary == .notWord { usesWordBoundaries = true }
      try append(.boundary(boundary))
    case .lookaround: throw Unsupported()
    }
  }

  private mutating func emit(_ sequences: [UTF8Sequences.Sequence]) throws(Unsupported) {
    // A class without members matches nothing: an empty range of choices would match everything.
    guard !sequences.isEmpty else { throw Unsupported() }
    try emit(sequences.count) { program, index throws(Unsupported) in
      for range in sequences[index] { try program.append(.byte(range)) }
    }
  }

  /// One of several branches.
  private mutating func emit(
    _ count: Int, branch: (inout Self, Int) throws(Unsupported) -> Void
  ) throws(Unsupported) {
    var exits: [Int] = []
    for index in 0..<count {
      guard index < count - 1 else {
        try branch(&self, index)
        break
      }
      let split = instructions.count
      try append(.split(split + 1, 0))
      try branch(&self, index)
      exits.append(instructions.count)
      try append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for exit in exits { instructions[exit] = .jump(instructions.count) }
  }

  private mutating func emit(_ body: PatternNode, min: Int, max: Int?) throws(Unsupported) {
    let before = instructions.count
    for round in 0..<min {
      try emit(body)
      // What emits nothing need not do so a million times.
      if round == 0, instructions.count == before { return }
    }
    if let max {
      var splits: [Int] = []
      for _ in min..<Swift.max(min, max) {
        splits.append(instructions.count)
        try append(.split(0, 0))
        try emit(body)
      }
      for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    } else {
      let split = instructions.count
      try append(.split(0, 0))
      try emit(body)
      try append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
    }
  }

  private static func sequences(of scalars: ScalarClass) throws(Unsupported) -> [UTF8Sequences.Sequence] {
    guard scalars.properties.isEmpty else { throw Unsupported() }
    let ranges = scalars.isNegated ? complement(scalars.ranges) : scalars.ranges
    return ranges.flatMap(UTF8Sequences.sequences)
  }

  private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= ScalarClass.maximum { result.append(next...ScalarClass.maximum) }
    return result
  }
}
