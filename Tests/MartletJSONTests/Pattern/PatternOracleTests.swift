import MartletJSON
import Testing

/// Random syntax trees, written out as text, against a matcher so plain that it can be checked by reading.
@Suite struct PatternOracleTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random patterns match as the definition says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<120 {
      let node = Self.node(depth: 4, &random)
      let source = Self.text(of: node)
      let pattern = try Pattern(source)
      for _ in 0..<8 {
        let subject = String((0..<Int.random(in: 0...7, using: &random)).map { _ in Self.letter(&random) })
        let text = subject.unicodeScalars.map(\.value)
        let expected = (0...text.count).contains { !Self.ends(of: node, in: text, from: $0).isEmpty }
        #expect(pattern.matches(subject) == expected, "seed \(seed): /\(source)/ on '\(subject)'")
      }
    }
  }

  private static func letter(_ random: inout SeededGenerator) -> Character {
    "abc ".randomElement(using: &random) ?? "a"
  }

  /// Every place a match of `node` that begins at `start` can end.
  private static func ends(of node: PatternNode, in text: [UInt32], from start: Int) -> Set<Int> {
    switch node {
    case .empty: return [start]
    case .scalar(let scalars): return start < text.count && scalars.contains(text[start]) ? [start + 1] : []
    case .concatenation(let parts):
      return parts.reduce(into: [start]) { places, part in
        places = Set(places.flatMap { ends(of: part, in: text, from: $0) })
      }
    case .alternation(let branches): return Set(branches.flatMap { ends(of: $0, in: text, from: start) })
    case .repetition(let body, let min, let max):
      var places: Set<Int> = [start]
      var result: Set<Int> = min == 0 ? places : []
      for round in 1...(max ?? min + text.count + 1) where round <= (max ?? .max) {
        places = Set(places.flatMap { ends(of: body, in: text, from: $0) })
        if round >= min { result.formUnion(places) }
      }
      return result
    case .boundary(let boundary):
      func isWord(_ index: Int) -> Bool { text.indices.contains(index) && text[index] != 0x20 }
      let holds =
        switch boundary {
        case .start: start == 0
        case .end: start == text.count
        case .word: isWord(start - 1) != isWord(start)
        case .notWord: isWord(start - 1) == isWord(start)
        }
      return holds ? [start] : []
    case .lookaround(let body, let look):
      let found =
        look.isAhead
        ? !ends(of: body, in: text, from: start).isEmpty
        : (0...start).contains { ends(of: body, in: text, from: $0).contains(start) }
      return found != look.isNegative ? [start] : []
    }
  }

  private static func node(depth: Int, _ random: inout SeededGenerator) -> PatternNode {
    let leaf = Int.random(in: 0..<6, using: &random)
    guard depth > 0, leaf > 0 else {
      return leaf == 1
        ? .scalar(.init(ranges: [0x61...0x62], isNegated: Bool.random(using: &random))) : .scalar(.init(0x61))
    }
    func child() -> PatternNode { node(depth: depth - 1, &random) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: return .concatenation([child(), child(), child()])
    case 3...4: return .alternation([child(), child()])
    case 5...6:
      let min = Int.random(in: 0...2, using: &random)
      let max: Int? = Bool.random(using: &random) ? nil : max(1, min + Int.random(in: 0...2, using: &random))
      return .repetition(child(), min: min, max: max)
    case 7:
      let boundaries: [PatternBoundary] = [.start, .end, .word, .notWord]
      return .boundary(boundaries.randomElement(using: &random) ?? .start)
    case 8:
      return .lookaround(child(), .init(isAhead: Bool.random(using: &random), isNegative: Bool.random(using: &random)))
    default: return .scalar(.init(0x62 + UInt32.random(in: 0...1, using: &random)))
    }
  }

  private static func text(of node: PatternNode) -> String {
    switch node {
    case .empty: ""
    case .scalar(let scalars):
      scalars.single.flatMap(Unicode.Scalar.init).map(String.init) ?? (scalars.contains(0x61) ? "[ab]" : "[^ab]")
    case .concatenation(let parts): "(?:\(parts.map(text).joined()))"
    case .alternation(let branches): "(\(branches.map(text).joined(separator: "|")))"
    case .repetition(let body, let min, let max): "(?:\(text(of: body))){\(min),\(max.map(String.init) ?? "")}"
    case .boundary(.start): "^"
    case .boundary(.end): "$"
    case .boundary(.word): #"\b"#
    case .boundary(.notWord): #"\B"#
    case .lookaround(let body, let look):
      "(?\(look.isAhead ? "" : "<")\(look.isNegative ? "!" : "=")\(text(of: body)))"
    }
  }
}
