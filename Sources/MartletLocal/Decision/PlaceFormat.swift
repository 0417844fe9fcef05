import MartletJSON

/// Whether a description asks for a place in two parts, as "The city and state, e.g. San Francisco, CA" does.
///
/// Small models leave the second part out where nobody said it, although they know it.
struct PlaceFormat {
  private let hasTwoParts: Bool

  init(_ description: String) {
    let text = description.lowercased()
    let isPlace = text.contains("city") && (text.contains("state") || text.contains("country"))
    hasTwoParts = isPlace && (Self.namesParts(text) || Self.hasExample(description))
  }

  /// Whether a value is only the first part.
  func lacksPart(_ value: String) -> Bool {
    hasTwoParts && !value.isEmpty && !value.contains(",") && value.allSatisfy { $0.isLetter || " .'-".contains($0) }
  }

  /// Whether a value has two parts, of letters both.
  static func isPlace(_ value: JSONValue) -> Bool {
    guard let parts = value.stringValue?.split(separator: ",", maxSplits: 1), parts.count == 2 else { return false }
    return parts.allSatisfy { part in
      part.contains(where: \.isLetter) && !part.contains(where: \.isNumber) && part.count < 40
    }
  }

  private static func namesParts(_ text: String) -> Bool {
    ["city, state", "city, country"].contains { text.contains($0) }
  }

  /// A comma before an abbreviation in capitals: "San Francisco, CA".
  private static func hasExample(_ text: String) -> Bool {
    let parts = text.split(separator: ",").dropFirst()
    return parts.contains { part in
      let word = part.drop { $0 == " " }.prefix { $0.isLetter }
      return (2...3).contains(word.count) && word.allSatisfy(\.isUppercase)
    }
  }
}
