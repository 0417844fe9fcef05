/// The things a message asks for, where it asks for several: its sentences, and what stands on both sides of an "and".
struct QuestionParts: Sendable, Hashable {
  /// A part has at least so many words; what is shorter belongs to the part before it.
  private static let leastWords = 3

  /// The parts in order; one for a message that asks for one thing.
  let parts: [String]

  init(_ text: String) {
    var parts: [String] = []
    for piece in Self.pieces(of: text) {
      if Self.isLongEnough(piece) || parts.isEmpty {
        parts.append(piece)
      } else {
        parts[parts.count - 1] += " \(piece)"
      }
    }
    if let first = parts.first, parts.count > 1, !Self.isLongEnough(first) {
      parts[1] = "\(first) \(parts[1])"
      parts.removeFirst()
    }
    self.parts = parts
  }

  /// Characters count where words are not set apart by spaces.
  private static func isLongEnough(_ piece: String) -> Bool {
    piece.split(whereSeparator: \.isWhitespace).count >= leastWords
      || piece.unicodeScalars.filter { $0.value > 0x2E7F }.count >= leastWords
  }

  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    for sentence in text.split(whereSeparator: \.isNewline) {
      var piece: [Substring] = []
      for word in sentence.split(whereSeparator: \.isWhitespace) {
        if word == "and", piece.count >= leastWords {
          pieces.append(joined(piece))
          piece = []
          continue
        }
        piece.append(word)
        if let last = word.last, "?!;。？！；".contains(last) || (last == "." && word.count > 2) {
          pieces.append(joined(piece))
          piece = []
        }
      }
      if !piece.isEmpty { pieces.append(joined(piece)) }
    }
    return pieces
  }

  private static func joined(_ words: [Substring]) -> String {
    var text = words.joined(separator: " ")
    while text.hasSuffix(",") { text.removeLast() }
    return text
  }
}
