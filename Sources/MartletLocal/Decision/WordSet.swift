/// The words of a text that carry meaning, by their stems.
///
/// The stems are crude (English endings cut off), and that is enough: they are one piece of evidence among several, and
/// words of other languages simply stay as they are.
struct WordSet: Sendable, Hashable {
  private(set) var stems: Set<String> = []

  init(_ text: String) {
    for word in Self.words(text) where Self.hasMeaning(word) { stems.insert(Self.stem(word)) }
  }

  /// Neither common, nor a number, nor a single letter such as the s of "what's".
  private static func hasMeaning(_ word: String) -> Bool {
    word.utf8.count > 1 && !common.contains(word) && !word.utf8.allSatisfy { $0 < 0x3A && $0 > 0x2F }
  }

  var count: Int { stems.count }
  var isEmpty: Bool { stems.isEmpty }

  func shared(with other: WordSet) -> Int { stems.intersection(other.stems).count }

  func union(_ other: WordSet) -> WordSet {
    var result = self
    result.stems.formUnion(other.stems)
    return result
  }

  /// Runs of letters and of digits in lower case; `camelCase` and `snake_case` are several words.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in text {
      if character.isLetter || character.isNumber {
        if character.isUppercase && wasLower && !word.isEmpty {
          words.append(word)
          word = ""
        }
        wasLower = character.isLowercase
        word += character.lowercased()
      } else {
        if !word.isEmpty { words.append(word) }
        word = ""
        wasLower = false
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  static func stem(_ word: String) -> String {
    for ending in endings where word.hasSuffix(ending) && word.count - ending.count >= 3 {
      return String(word.dropLast(ending.count))
    }
    return word
  }

  private static let endings = [
    "ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ions", "ion", "es", "ed", "s", "e", "ly", "al",
  ]

  /// Words that say nothing about a subject, in questions and in descriptions of functions.
  private static let common: Set<String> = Set(
    """
    the a an of in to for and or is are what how with on at from by be it this that me i my you can could please do \
    does which who when where given using get find calculate provide return returns based specified specific default \
    none note value name use used number list string integer float optional if not provided will as need want would \
    like about some any all there have has was were than then into out up so between during
    """.split(separator: " ").map(String.init))
}
