/// The text of a memory as its notes: list items and paragraphs. Headings and blank lines belong to no note; the user may
/// write them.
struct MemoryNotes: Sendable, Hashable {
  struct Note: Sendable, Hashable {
    /// Without the mark of a list, lines joined.
    var text: String
    var lines: Range<Int>
  }

  /// Each may end in a carriage return, which stays as it is.
  private var lines: [String]
  private(set) var notes: [Note] = []

  init(_ text: String) {
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
    find()
  }

  /// The whole text, ending in a line break unless it is empty.
  var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

  /// Adds a note at the end. Its further lines are indented, so that none can look like another note.
  mutating func append(_ note: String) {
    for (index, line) in note.split(separator: "\n").enumerated() { lines.append((index == 0 ? "- " : "  ") + line) }
    find()
  }

  mutating func remove(_ note: Note) {
    lines.removeSubrange(note.lines)
    find()
  }

  private mutating func find() {
    notes = []
    var isOpen = false
    for (index, raw) in lines.enumerated() {
      let line = raw.utf8.last == 0x0D ? raw.dropLast() : raw[...]
      let isIndented = line.first == " " || line.first == "\t"
      let content = line.drop { $0 == " " || $0 == "\t" }
      if content.isEmpty || (!isIndented && content.first == "#") {
        isOpen = false
      } else if !isIndented, let first = content.first, "-*+".contains(first), content.dropFirst().first == " " {
        notes.append(Note(text: String(content.dropFirst(2)), lines: index..<index + 1))
        isOpen = true
      } else if isOpen, let last = notes.indices.last {
        notes[last].text += "\n" + content
        notes[last].lines = notes[last].lines.lowerBound..<index + 1
      } else {
        notes.append(Note(text: String(content), lines: index..<index + 1))
        isOpen = true
      }
    }
  }

  /// The notes that have any of the words, the ones with most of them first, of equal ones the latest; all notes, the
  /// latest first, when there are no words.
  func matching(_ query: String) -> [String] {
    let words = Set(SearchText.words(of: query).map(String.init))
    guard !words.isEmpty else { return notes.reversed().map(\.text) }
    let found = notes.enumerated().compactMap { index, note -> (count: Int, index: Int, text: String)? in
      let own = SearchText.words(of: note.text)
      let count = words.count { word in own.contains { $0.hasPrefix(word) } }
      return count > 0 ? (count, index, note.text) : nil
    }
    return found.sorted { ($0.count, $0.index) > ($1.count, $1.index) }.map(\.text)
  }

  /// A note fit to be kept: without control characters, and without spaces and blank lines around it.
  static func cleaned(_ note: String) -> String {
    let lines = note.unicodeScalars.split { ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }.map { line in
      String(String.UnicodeScalarView(line.filter { $0.value == 9 || $0.properties.generalCategory != .control }))
        .trimmingBlanks()
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// For comparing: case and spaces do not count.
  static func key(_ note: String) -> String {
    note.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  func trimmingBlanks() -> String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
