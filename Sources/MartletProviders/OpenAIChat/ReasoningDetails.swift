import MartletJSON

/// OpenRouter's `reasoning_details`, joined from their pieces: what belongs to one index and type becomes one entry, its
/// texts joined and all else as it came last.
struct ReasoningDetails: Sendable {
  private(set) var values: [JSONValue] = []
  private static let joined: Set<String> = ["text", "summary", "data"]

  var isEmpty: Bool { values.isEmpty }

  mutating func take(_ pieces: [JSONValue]) {
    for piece in pieces {
      guard case .object(let object) = piece else { continue }
      guard let place = place(of: piece), case .object(var whole) = values[place] else {
        values.append(piece)
        continue
      }
      for (key, value) in object where !value.isNull && value != "" {
        if Self.joined.contains(key), let before = whole[key]?.stringValue, let text = value.stringValue {
          whole[key] = .string(before + text)
        } else {
          whole[key] = value
        }
      }
      values[place] = .object(whole)
    }
  }

  /// The entry that a piece goes on with.
  private func place(of piece: JSONValue) -> Int? {
    guard let index = piece["index"], !index.isNull else { return nil }
    return values.lastIndex { $0["index"] == index && $0["type"] == piece["type"] }
  }

  /// What pieces say in words.
  static func text(_ pieces: [JSONValue]) -> String {
    pieces.compactMap { $0["text"]?.stringValue ?? $0["summary"]?.stringValue }.joined()
  }
}
