import MartletJSON

/// The head of a `SKILL.md`, between two lines of `---`, and the text after it.
///
/// The head is YAML as skills have it: keys with plain, quoted and block texts, lists and maps, comments. Values are texts,
/// never numbers or dates. Real files hold much that is no YAML, such as `description: Use when: asked`; wherever it is
/// clear what was meant, that is taken, and a problem says what to write instead.
struct SkillFrontMatter: Sendable, Hashable {
  /// The values of the head: texts, lists, maps.
  private(set) var fields: JSONObject = [:]
  /// The line of each field, from 1.
  private(set) var lines: [String: Int] = [:]
  /// The text after the head, without blanks around it.
  private(set) var body: String
  /// The lines that the body has.
  private(set) var bodyLineCount = 0
  private(set) var problems: [SkillProblem] = []

  /// Bytes that a head may have, line ends with them.
  static let limit = 64 * 1024

  /// - Throws: `SkillProblem` when there is no head.
  init(_ text: String, path: String) throws(SkillProblem) {
    let all = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      Substring(line.last == 0x0D ? line.dropLast() : line)
    }
    var first = all.startIndex
    // A byte order mark is no part of the text.
    let isMarked = all[0].unicodeScalars.first == "\u{FEFF}"
    func line(_ index: Int) -> Substring {
      index == 0 && isMarked ? Substring(all[0].unicodeScalars.dropFirst()) : all[index]
    }
    while first < all.count, line(first).allSatisfy(\.isWhitespace) { first += 1 }
    guard first < all.count, Self.isFence(line(first)) else {
      throw SkillProblem(
        .broken, path: path, line: first < all.count ? first + 1 : 1,
        "there is no front matter: begin the file with a line of ---, then name: and description:, then --- again")
    }
    guard
      let last = all[(first + 1)...].firstIndex(where: { Self.isFence($0) || $0.utf8.elementsEqual("...".utf8) })
    else {
      throw SkillProblem(
        .broken, path: path, line: first + 1, "the front matter is not closed: end it with a line of ---")
    }
    let head = all[(first + 1)..<last]
    guard head.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.limit else {
      throw SkillProblem(
        .broken, path: path, line: first + 1, "the front matter has more than \(Self.limit >> 10) KiB: shorten it")
    }
    let rest = all[(last + 1)...]
    body = rest.joined(separator: "\n").trimmingBlanks()
    bodyLineCount = rest.count
    var reader = FrontMatterReader(head.map { String($0) }, firstLine: first + 2, path: path)
    (fields, lines) = reader.read()
    problems = reader.problems
  }

  private static func isFence(_ line: Substring) -> Bool {
    line.utf8.starts(with: "---".utf8) && line.utf8.dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// The text of a field; nil when it is absent. A list or a map is no text.
  func text(_ key: String) -> String? { fields[key]?.stringValue }

  /// The line of a field, the first line of the file when it is absent.
  func line(of key: String) -> Int { lines[key] ?? 1 }
}
