import MartletJSON

/// The longest text that every match of a pattern must contain, by which most of a file can be skipped quickly.
struct RequiredLiteral {
  /// UTF-8; empty when there is none.
  private(set) var bytes: [UInt8] = []
  /// Whether to contain it is all there is to matching.
  let isWholePattern: Bool

  init(_ node: PatternNode) {
    let found = Self.find(node)
    isWholePattern = found.exact != nil && !found.hasConditions
    bytes = found.exact ?? found.longest
  }

  private struct Found {
    /// The one text that matches, if there is only one.
    var exact: [UInt8]?
    var longest: [UInt8] = []
    /// A match depends on more than the text itself.
    var hasConditions = false
  }

  private static func find(_ node: PatternNode) -> Found {
    switch node {
    case .empty: return Found(exact: [])
    case .scalar(let scalars):
      guard let single = scalars.single else { return Found() }
      return Found(exact: UTF8Sequences.bytes(single))
    case .boundary: return Found(exact: [], hasConditions: true)
    // It reads nothing, so what is around it stays together.
    case .lookaround: return Found(exact: [], hasConditions: true)
    case .alternation: return Found()
    case .repetition(let body, let min, let max):
      guard min > 0 else { return Found() }
      let inner = find(body)
      return max == 1 ? inner : Found(longest: inner.exact ?? inner.longest)
    case .concatenation(let parts):
      var result = Found(exact: [])
      var run: [UInt8] = []
      for part in parts {
        let inner = find(part)
        result.hasConditions = result.hasConditions || inner.hasConditions
        if let exact = inner.exact {
          run += exact
          result.exact? += exact
        } else {
          result.exact = nil
          for text in [run, inner.longest] where text.count > result.longest.count { result.longest = text }
          run = []
        }
      }
      if run.count > result.longest.count { result.longest = run }
      return result
    }
  }
}
