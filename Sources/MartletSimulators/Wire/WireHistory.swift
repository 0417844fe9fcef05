import MartletHTTP
import MartletJSON

/// What several protocols have alike.
enum WireHistory {
  /// Runs of neighbouring messages with a role.
  static func runs(of role: String, in messages: JSONValue?) -> Int {
    var count = 0
    var isInside = false
    for message in messages?.arrayValue ?? [] {
      let isOne = message["role"]?.stringValue == role
      if isOne, !isInside { count += 1 }
      isInside = isOne
    }
    return count
  }

  /// The text of a content: a string, or parts with `text`.
  static func text(_ content: JSONValue?) -> String {
    if let text = content?.stringValue { return text }
    return (content?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }.joined(separator: "\n")
  }
}

enum BearerKey {
  static func read(_ headers: HTTPHeaders) -> String? {
    guard let value = headers["authorization"], value.lowercased().hasPrefix("bearer ") else { return nil }
    return String(value.dropFirst(7))
  }
}
