/// A pattern of paths: `*` and `?` within a name, `**` over any number of directories, `[a-z]`, `{a,b}`.
///
/// `*` also matches names that begin with a dot. Matching takes time proportional to the lengths of name and pattern,
/// however many stars there are.
struct GlobPattern: Hashable, Sendable {
  struct Malformed: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  private enum Segment: Hashable {
    case anyDirectories
    case name(NamePattern)
  }

  /// More ways to fill the braces than this are refused.
  private static let alternativeLimit = 256

  private let alternatives: [[Segment]]
  /// Whether the pattern is one name, without a slash.
  let isSingleName: Bool

  init(_ text: String) throws(Malformed) {
    guard !text.isEmpty else { throw Malformed(description: "the pattern is empty") }
    guard text.utf8.count <= 1_000 else { throw Malformed(description: "the pattern is too long") }
    alternatives = try Self.expand(text).map { text throws(Malformed) in
      try text.split(separator: "/").filter { $0 != "." }.map { part throws(Malformed) in
        if part == ".." { throw Malformed(description: "\"..\" leads out of the directory that is searched") }
        return part == "**" ? .anyDirectories : .name(try NamePattern(part))
      }
    }
    isSingleName = !text.contains("/")
  }

  func matches(path: String) -> Bool {
    var progress = Progress(self)
    for name in path.split(separator: "/") { progress = progress.entering(Array(name.unicodeScalars)) }
    return progress.isMatch
  }

  /// How much of the pattern a path has matched so far, for walking a tree without looking where nothing can match.
  struct Progress {
    private let pattern: GlobPattern
    /// For each alternative, the segments that may come next; its count means that all have matched.
    private var positions: [Set<Int>]

    init(_ pattern: GlobPattern) {
      self.pattern = pattern
      positions = pattern.alternatives.map { Self.closure([0], $0) }
    }

    /// The path so far matches.
    var isMatch: Bool { zip(positions, pattern.alternatives).contains { $0.contains($1.count) } }

    /// Something below it may match.
    var isAlive: Bool {
      zip(positions, pattern.alternatives).contains { $0.contains { [count = $1.count] in $0 < count } }
    }

    func entering(_ name: [Unicode.Scalar]) -> Self {
      var next = self
      for (index, segments) in pattern.alternatives.enumerated() {
        var reached: Set<Int> = []
        for position in positions[index] where position < segments.count {
          switch segments[position] {
          case .anyDirectories: reached.insert(position)
          case .name(let pattern): if pattern.matches(name) { reached.insert(position + 1) }
          }
        }
        next.positions[index] = Self.closure(reached, segments)
      }
      return next
    }

    /// `**` may also stand for no directory at all.
    private static func closure(_ positions: Set<Int>, _ segments: [Segment]) -> Set<Int> {
      var result = positions
      for position in positions {
        var position = position
        while position < segments.count, segments[position] == .anyDirectories {
          position += 1
          result.insert(position)
        }
      }
      return result
    }
  }

  /// All texts that the braces stand for.
  private static func expand(_ text: String) throws(Malformed) -> [String] {
    var done: [String] = []
    var open = [text]
    while let next = open.popLast() {
      guard done.count + open.count < alternativeLimit else {
        throw Malformed(description: "the braces stand for more than \(alternativeLimit) patterns")
      }
      if let (head, choices, tail) = firstBraces(in: next) {
        open += choices.reversed().map { head + $0 + tail }
      } else {
        done.append(next)
      }
    }
    return done
  }

  /// The first pair of braces with a comma at its own level; others stand for themselves.
  private static func firstBraces(in text: String) -> (head: String, choices: [String], tail: String)? {
    let characters = Array(text)
    for start in characters.indices where characters[start] == "{" && !isEscaped(start, in: characters) {
      var (depth, from, choices) = (0, start + 1, [String]())
      for index in start..<characters.count where !isEscaped(index, in: characters) {
        switch characters[index] {
        case "{": depth += 1
        case "}":
          depth -= 1
          guard depth == 0 else { continue }
          guard !choices.isEmpty else { break }
          choices.append(String(characters[from..<index]))
          return (String(characters[..<start]), choices, String(characters[(index + 1)...]))
        case "," where depth == 1:
          choices.append(String(characters[from..<index]))
          from = index + 1
        default: continue
        }
        if depth == 0 { break }
      }
    }
    return nil
  }

  private static func isEscaped(_ index: Int, in characters: [Character]) -> Bool {
    characters[..<index].reversed().prefix { $0 == "\\" }.count % 2 == 1
  }
}
