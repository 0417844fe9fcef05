/// The values that a description allows in words, where the schema has no `enum`: "Choices are 'trapezoid' or 'simpson'".
///
/// Many tools list their choices only so; a small model that is not held to them writes something near.
struct DescribedChoices {
  /// At least two, as they stand between the quotes; empty where the description lists none, or only examples.
  let values: [String]

  /// What announces all that is allowed, and what announces examples.
  private static let announcements = [
    "can be", "could be", "must be", "should be", "either", "between", "choice", "choose", "option", "one of", "values",
    "possible", "allowed", "valid", "supported", "available", "accepts",
  ]
  private static let examples = ["e.g", "such as", "example", "like", "for instance"]
  private static let joints: Set<String> = ["", ",", "or", ",or", "and", ",and", "/", "|", ";"]

  init(_ description: String) {
    let (gaps, quoted) = Self.pieces(of: description)
    var start = 0
    while start < quoted.count {
      var end = start + 1
      while end < quoted.count, Self.joints.contains(gaps[end].filter { !$0.isWhitespace }.lowercased()) { end += 1 }
      if end - start > 1, Self.isAnnounced(after: gaps[start]), !Self.goesOn(in: gaps[end]),
        quoted[start..<end].allSatisfy({ $0.count <= 40 })
      {
        values = Array(quoted[start..<end])
        return
      }
      start = end
    }
    values = []
  }

  /// The quoted texts, and what stands before, between and after them. An apostrophe quotes nothing.
  private static func pieces(of text: String) -> (gaps: [String], quoted: [String]) {
    var gaps = [""]
    var quoted: [String] = []
    let characters = Array(text)
    var index = 0
    while index < characters.count {
      let character = characters[index]
      let isInWord = index > 0 && (characters[index - 1].isLetter || characters[index - 1].isNumber)
      if "'\"`".contains(character), !isInWord,
        let end = characters[(index + 1)...].indices.first(where: {
          characters[$0] == character && !($0 + 1 < characters.count && characters[$0 + 1].isLetter)
        }), end > index + 1
      {
        quoted.append(String(characters[(index + 1)..<end]))
        gaps.append("")
        index = end + 1
      } else {
        gaps[gaps.count - 1].append(character)
        index += 1
      }
    }
    return (gaps, quoted)
  }

  private static func isAnnounced(after text: String) -> Bool {
    var sentence = text.lowercased()
    while let stop = sentence.firstIndex(of: "."), let next = sentence[stop...].dropFirst().first, next.isWhitespace {
      sentence = String(sentence[stop...].dropFirst())
    }
    return announcements.contains { sentence.contains($0) } && !examples.contains { sentence.contains($0) }
  }

  private static func goesOn(in text: String) -> Bool {
    text.lowercased().drop { $0.isWhitespace || $0 == "," }.hasPrefix("etc")
  }
}
