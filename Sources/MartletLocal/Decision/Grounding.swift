import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How far the values of a call come from what was said, rather than from the model's imagination.
struct Grounding: Sendable {
  private let words: Set<String>
  private let stems: Set<String>
  private let numbers: [Double]
  /// The numbers as digits, a following "thousand", "million" or "billion" multiplied in; at most 32, no two equal.
  let saidNumbers: [String]
  let coordinates: SaidCoordinates
  let atoms: Atoms
  /// All that was said.
  let said: String
  /// The words as they were said, without quotes and punctuation around them; at most 64.
  let starts: [String]

  /// - Parameter text: what was said.
  init(_ text: String) {
    said = text
    let list = WordSet.words(text)
    words = Set(list)
    stems = Set(list.map(WordSet.stem))
    var starts: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) where starts.count < 64 {
      let start = word.drop { !$0.isLetter && !$0.isNumber }
      let trimmed = String(start.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
      if !trimmed.isEmpty, !trimmed.contains(where: { $0 == "\"" || $0 == "\\" }), !starts.contains(trimmed) {
        starts.append(trimmed)
      }
    }
    self.starts = starts
    atoms = Atoms(text)
    numbers = Self.numbers(in: text) + list.compactMap { Self.named[$0] }
    saidNumbers = Self.scaledNumbers(in: text)
    coordinates = SaidCoordinates(text)
  }

  private static func scaledNumbers(in text: String) -> [String] {
    var said: [String] = []
    let words = text.split(whereSeparator: \.isWhitespace)
    for (index, word) in words.enumerated() {
      for var value in numbers(in: String(word)) {
        if index + 1 < words.count, let scale = scales[words[index + 1].lowercased().filter(\.isLetter)] {
          value *= scale
        }
        guard value < 1e15, said.count < 32 else { continue }
        let digits = value == value.rounded() ? "\(Int(value))" : "\(value)"
        if !said.contains(digits) { said.append(digits) }
      }
    }
    return said
  }

  private static let scales: [String: Double] = ["thousand": 1e3, "million": 1e6, "billion": 1e9]

  /// From 0, invented, to 1, said; `nil` for values that are not said in so many words (truth values, null, nothing).
  func degree(_ value: JSONValue) -> Double? {
    switch value {
    case .null, .bool: return nil
    case .number(let number): return isSaid(number.double) ? 1 : 0
    case .string(let text):
      let parts = WordSet.words(text)
      guard !parts.isEmpty else { return nil }
      let said = parts.filter { words.contains($0) || stems.contains(WordSet.stem($0)) || isSpelled($0) }
      return Double(said.count) / Double(parts.count)
    case .array(let items): return mean(items.compactMap(degree))
    case .object(let object): return mean(object.values.compactMap(degree))
    }
  }

  private func mean(_ degrees: [Double]) -> Double? {
    degrees.isEmpty ? nil : degrees.reduce(0, +) / Double(degrees.count)
  }

  /// A number counts as said also as a percentage (5 % is 0.05) or with its unit's prefix (2 million, 3 km).
  private func isSaid(_ value: Double) -> Bool {
    let size = abs(value)
    return numbers.contains { said in
      [1, 0.01, 100, 1000, 1_000_000].contains { abs(size - said * $0) <= 1e-9 * max(1, said * $0) }
    }
  }

  private func isSpelled(_ word: String) -> Bool {
    Double(word).map { value in Self.named.values.contains(value) && numbers.contains(value) } ?? false
  }

  private static func numbers(in text: String) -> [Double] {
    var numbers: [Double] = []
    var digits = ""
    func end() {
      while digits.last == "." { digits.removeLast() }
      if let number = Double(digits) { numbers.append(number) }
      digits = ""
    }
    for character in text {
      if character.isASCII && character.isWholeNumber || (character == "." && !digits.isEmpty && !digits.contains("."))
      {
        digits.append(character)
      } else if !(character == "," && !digits.isEmpty) {
        end()
      }
    }
    end()
    return numbers
  }

  private static let named: [String: Double] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "first": 1, "second": 2, "third": 3, "half": 0.5, "twice": 2, "dozen": 12,
    "hundred": 100,
  ]
}
