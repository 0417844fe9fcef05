import MartletJSON

/// Latitudes and longitudes that were said with their directions, as in "33.4484 N, 112.0740° W": south and west are
/// negative where a tool takes numbers, which small models forget.
struct SaidCoordinates: Sendable {
  private var negative: Set<Double> = []

  /// - Parameter text: what was said. Only pairs of a latitude and a longitude count: "60 W" alone may be a lamp.
  init(_ text: String) {
    let separators: Set<Character> = [",", ";", "(", ")", "[", "]", "°"]
    let words = text.split { $0.isWhitespace || separators.contains($0) }
    var directed: [(value: Double, direction: Character)?] = []
    for (index, word) in words.enumerated() {
      if let value = Double(word), value >= 0 {
        let next = index + 1 < words.count ? Self.direction(words[index + 1]) : nil
        directed.append(next.map { (value, $0) })
      } else if let last = word.last, let direction = Self.direction(String(last)[...]),
        let value = Double(word.dropLast())
      {
        directed.append((value, direction))
      }
    }
    for (latitude, longitude) in zip(directed, directed.dropFirst()) {
      guard let latitude, let longitude, "NS".contains(latitude.direction), "EW".contains(longitude.direction) else {
        continue
      }
      if latitude.direction == "S" { negative.insert(latitude.value) }
      if longitude.direction == "W" { negative.insert(longitude.value) }
    }
  }

  /// A value with the signs of its coordinates.
  func signed(_ value: JSONValue) -> JSONValue {
    guard !negative.isEmpty else { return value }
    switch value {
    case .number(let number):
      guard negative.contains(number.double) else { return value }
      return JSONNumber(text: "-\(number.text)").map(JSONValue.number) ?? value
    case .array(let items): return .array(items.map(signed))
    case .object(let members):
      var result = members
      for (name, member) in members { result[name] = signed(member) }
      return .object(result)
    default: return value
    }
  }

  private static func direction(_ word: Substring) -> Character? {
    switch word {
    case "N", "North", "north": "N"
    case "S", "South", "south": "S"
    case "E", "East", "east": "E"
    case "W", "West", "west": "W"
    default: nil
    }
  }
}
